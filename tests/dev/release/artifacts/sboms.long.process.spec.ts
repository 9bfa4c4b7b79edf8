import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "@pulumi-static-export/toolchain";
import { type Sbom, sbomOf, writeSboms } from "../../../../dev/release/artifacts/sboms.js";

const debian = (name: string, version: string, status = "installed") =>
    `Package: ${name}\nStatus: install ok ${status}\nArchitecture: amd64\nVersion: ${version}\n`;
const bundled = { type: "library", name: "yaml", version: "2.9.1", purl: "pkg:npm/yaml@2.9.1" };

describe("the SBOMs of a release", () => {
    let work: string;
    let release: string;

    before(async () => {
        work = await mkdtemp(join(tmpdir(), "static-export-sboms-"));
        release = join(work, "release");
        const sbom = JSON.stringify({ components: [{ ...bundled, "bom-ref": "of the bundle" }] });
        await archive("npm/acme-static-export-cli-1.0.0.tgz", {
            "package/package.json": '{ "name": "@acme/static-export-cli" }',
            "package/sbom.cdx.json": sbom,
        });
        await archive("npm/acme-static-export-1.0.0.tgz", {
            "package/package.json": '{ "name": "@acme/static-export" }',
        });
        await archive("plugin/plugin-linux-amd64.tar.gz", { "sbom.cdx.json": sbom });
        await archive("charts/docs-2.0.0.tgz", {
            "docs/values.yaml":
                "image: { repository: nginx, tag: 1.30.4 }\nother: { image: { repository: '', tag: '' } }\n" +
                "signIn: { image: { repository: quay.io/acme/proxy, tag: v7 } }\n",
            "docs/sbom.cdx.json": sbom,
        });
        await writeFiles(release, {
            "python/pulumi_static_export-1.0.0-py3-none-any.whl": "",
            "maven/io/acme/static-export/1.0.0/static-export-1.0.0.jar": "",
            "nuget/Acme.StaticExport.1.0.0.nupkg": "",
        });
        await writeImage([
            { "var/lib/dpkg/status": debian("git", "1:2.39") },
            {
                "var/lib/dpkg/status": `${debian("git", "1:2.47")}\n${debian("removed", "1", "config-files")}`,
                "opt/static-export/node_modules/yaml/package.json":
                    '{ "name": "yaml", "version": "2.9.1", "license": "ISC" }',
                "opt/static-export/node_modules/@acme/tool/node_modules/yaml/package.json":
                    '{ "name": "yaml", "version": "1.0.0", "license": "ISC" }',
                "opt/static-export/node_modules/@acme/tool/package.json":
                    '{ "name": "@acme/tool", "version": "3.0.0", "license": "MIT" }',
            },
        ]);
        await writeSboms(release, "1.0.0");
    });
    after(() => rm(work, { recursive: true, force: true }));

    async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
        for (const [name, text] of Object.entries(files)) {
            await mkdir(dirname(join(folder, name)), { recursive: true });
            await writeFile(join(folder, name), text);
        }
    }

    async function archive(name: string, files: Record<string, string>): Promise<void> {
        const sources = await mkdtemp(join(work, "sources-"));
        await writeFiles(sources, files);
        await mkdir(dirname(join(release, name)), { recursive: true });
        await run("tar", ["-czf", join(release, name), "-C", sources, ...(await readdir(sources))]);
    }

    async function writeImage(layers: Record<string, string>[]): Promise<void> {
        const blobs = join(release, "image", "blobs", "sha256");
        await mkdir(blobs, { recursive: true });
        const add = async (content: Buffer) => {
            const digest = createHash("sha256").update(content).digest("hex");
            await writeFile(join(blobs, digest), content);
            return { digest: `sha256:${digest}` };
        };
        const descriptors = [];
        for (const [index, files] of layers.entries()) {
            await archive(`../layer-${index}`, files);
            descriptors.push(await add(await readFile(join(work, `layer-${index}`))));
        }
        const manifest = await add(Buffer.from(JSON.stringify({ layers: descriptors })));
        await writeFiles(release, { "image/index.json": JSON.stringify({ manifests: [manifest] }) });
    }

    const componentsOf = async (artifact: string) => {
        const { components } = JSON.parse(await readFile(sbomOf(release, artifact), "utf8")) as Sbom;
        return components.map(({ group = "", name, version }) => `${group}${group && "/"}${name} ${version}`);
    };

    it("exist for each artifact", async () => {
        assert.deepEqual((await readdir(join(release, "sbom"))).sort(), [
            "Acme.StaticExport.1.0.0.nupkg.cdx.json",
            "acme-static-export-1.0.0.tgz.cdx.json",
            "acme-static-export-cli-1.0.0.tgz.cdx.json",
            "docs-2.0.0.tgz.cdx.json",
            "image.cdx.json",
            "plugin-linux-amd64.tar.gz.cdx.json",
            "pulumi_static_export-1.0.0-py3-none-any.whl.cdx.json",
            "static-export-1.0.0.jar.cdx.json",
        ]);
    });

    it("list the libraries of a bundle, and Node.js in the plugin's archive", async () => {
        assert.deepEqual(await componentsOf("acme-static-export-cli-1.0.0.tgz"), ["yaml 2.9.1"]);
        const [node = "", ...others] = await componentsOf("plugin-linux-amd64.tar.gz");
        assert.match(node, /^node \d/);
        assert.deepEqual(others, ["yaml 2.9.1"]);
    });

    it("list nothing for a package that contains no third-party code", async () => {
        for (const artifact of ["acme-static-export-1.0.0.tgz", "static-export-1.0.0.jar"]) {
            assert.deepEqual(await componentsOf(artifact), []);
        }
    });

    it("list the images that a chart's pods use by default, and the libraries in its bundled program", async () => {
        assert.deepEqual(await componentsOf("docs-2.0.0.tgz"), ["nginx 1.30.4", "quay.io/acme/proxy v7", "yaml 2.9.1"]);
    });

    it("name each artifact by its package URL, and a chart by the chart's version", async () => {
        const named = async (artifact: string) => {
            const { metadata } = JSON.parse(await readFile(sbomOf(release, artifact), "utf8")) as Sbom;
            return `${metadata.component.version} ${metadata.component.purl?.replace(/[0-9a-f]{64}/, "…")}`;
        };
        const artifacts = (await readdir(join(release, "sbom"))).sort().map((file) => file.replace(".cdx.json", ""));
        assert.deepEqual(await Promise.all(artifacts.map(named)), [
            "1.0.0 pkg:nuget/Acme.StaticExport@1.0.0",
            "1.0.0 pkg:npm/%40acme/static-export@1.0.0",
            "1.0.0 pkg:npm/%40acme/static-export-cli@1.0.0",
            "2.0.0 pkg:helm/docs@2.0.0",
            "1.0.0 pkg:oci/static-export@sha256%3A…",
            "1.0.0 pkg:generic/pulumi-resource-static-export@1.0.0",
            "1.0.0 pkg:pypi/pulumi-static-export@1.0.0",
            "1.0.0 pkg:maven/io.acme/static-export@1.0.0",
        ]);
    });

    it("name the images of a chart by their package URL, also of another registry than Docker Hub", async () => {
        const { components } = JSON.parse(await readFile(sbomOf(release, "docs-2.0.0.tgz"), "utf8")) as Sbom;
        assert.deepEqual(
            components.map(({ purl }) => purl),
            ["pkg:docker/nginx@1.30.4", "pkg:docker/acme/proxy@v7?repository_url=quay.io", "pkg:npm/yaml@2.9.1"],
        );
    });

    it("list the npm and Debian packages that the image contains after its last layer", async () => {
        const [node = "", ...packages] = await componentsOf("image");
        assert.match(node, /^node \d/);
        assert.deepEqual(packages.sort(), ["@acme/tool 3.0.0", "git 1:2.47", "yaml 1.0.0", "yaml 2.9.1"]);
    });

    it("fail the build if an SBOM does not match CycloneDX's schema", async () => {
        await archive("npm/acme-static-export-cli-1.0.0.tgz", {
            "package/package.json": '{ "name": "@acme/static-export-cli" }',
            "package/sbom.cdx.json": JSON.stringify({ components: [{ ...bundled, type: "bundle" }] }),
        });
        await assert.rejects(writeSboms(release, "1.0.0"), /The SBOM of acme-static-export-cli-1.0.0.tgz is not valid/);
    });
});
