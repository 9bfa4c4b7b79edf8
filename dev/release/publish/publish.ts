/**
 * npm run release:publish -- FOLDER: publishes the output of `npm run release:build`. In GitHub Actions, npm and PyPI
 * trust the workflow, so no tokens are needed. Run `helm registry login` and `docker login` first. After an
 * interruption, the same command publishes the rest.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
    type CommandError,
    ensureDebianPackages,
    ensurePythonPrograms,
    ensureTool,
    type PythonTool,
    run,
    withTemporaryFolder,
} from "@pulumi-static-export/toolchain";
import { buildVersion } from "../names/build-version.js";
import { manifestDigest } from "../artifacts/image-components.js";
import { imageFolder, imageName } from "../artifacts/image.js";
import { mavenCentral, publishMaven } from "./maven-central.js";
import { requireOwner, withOwner } from "../names/owner-names.js";
import { publishOnce } from "./publish-once.js";
import { sbomOf } from "../artifacts/sboms.js";
import { signedByWorkflow, type Signing, signOnce } from "./sign.js";

const twine: PythonTool = { name: "twine", version: "7.0.0" };

interface Manifest {
    name: string;
    version: string;
}

type Options = Readonly<{ cwd?: string; env?: Record<string, string> }>;

/** @param args - additional arguments of `npm publish` */
export async function publishNpm(folder: string, args: readonly string[], options: Options = {}): Promise<void> {
    for (const file of filesIn(join(folder, "npm"))) {
        const { name, version } = JSON.parse(await run("tar", ["-xzOf", file, "package/package.json"])) as Manifest;
        await publishOnce({
            name: `${name}@${version}`,
            digest: `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`,
            find: async () => {
                const view = ["view", `${name}@${version}`, "dist.integrity", "--json", "--prefer-online"];
                const found = await run("npm", view, options).catch(unlessMissing(missingInNpm, "stdout"));
                return found === undefined || found === "" ? undefined : (JSON.parse(found) as string);
            },
            publish: () => run("npm", ["publish", file, "--access", "public", ...args], options),
        });
    }
}

/**
 * @param index - the index from which pip downloads; by default pip's own
 * @param args - additional arguments of `twine upload`
 */
export async function publishPython(folder: string, args: readonly string[], index?: string): Promise<void> {
    const programs = await ensurePythonPrograms(twine);
    for (const file of filesIn(join(folder, "python"))) {
        const [name = "", version = ""] = basename(file).split("-");
        const source = index === undefined ? [] : ["--index-url", index];
        const options = ["--quiet", "--no-deps", "--no-cache-dir", "--retries", "0", "--disable-pip-version-check"];
        const download = ["-m", "pip", "download", ...options, ...source];
        await publishOnce({
            name: `${name} ${version} for Python`,
            digest: sha256(file),
            find: () =>
                digestOfDownload((to) =>
                    run(join(programs, "python"), [...download, "--dest", to, `${name}==${version}`]).catch(
                        unlessMissing(/No matching distribution found/),
                    ),
                ),
            publish: () => run(join(programs, "twine"), ["upload", "--non-interactive", ...args, file]),
        });
    }
}

/**
 * Publishes the charts, signed and with their SBOMs.
 *
 * @param registry - such as `ghcr.io/acme/charts`
 */
export async function publishCharts(
    folder: string,
    registry: string,
    signing: Signing,
    { isPlainHttp = false } = {},
): Promise<void> {
    await ensureDebianPackages(["skopeo"]);
    const helm = await ensureTool("helm");
    const args = isPlainHttp ? ["--plain-http"] : [];
    for (const file of filesIn(join(folder, "charts"))) {
        const [, name = "", version = ""] = /^(.+?)-(\d.*)\.tgz$/.exec(basename(file)) ?? [];
        await publishOnce({
            name: `Chart ${name} ${version}`,
            digest: sha256(file),
            find: () =>
                digestOfDownload((to) =>
                    run(helm, [
                        ...["pull", `oci://${registry}/${name}`, "--version", version],
                        ...["--destination", to, ...args],
                    ]).catch(unlessMissing(missingInRegistry)),
                ),
            // Without this check, a push would replace the chart.
            publish: () => run(helm, ["push", file, `oci://${registry}`, ...args]),
        });
        const published = `docker://${registry}/${name}:${version}`;
        const manifest = await run("skopeo", ["inspect", "--raw", `--tls-verify=${!isPlainHttp}`, published]);
        await signOnce(`${registry}/${name}@${sha256Of(manifest)}`, sbomOf(folder, basename(file)), signing);
    }
}

/** The tag and types in which Artifact Hub looks for the owner of a chart's repository. */
const artifactHub = {
    tag: "artifacthub.io",
    config: "application/vnd.cncf.artifacthub.config.v1+yaml",
    metadata: "application/vnd.cncf.artifacthub.repository-metadata.layer.v1.yaml",
};

/** Writes next to each chart who owns it, so that Artifact Hub can verify its publisher. */
export async function publishChartOwner(
    folder: string,
    registry: string,
    owner: string,
    { isPlainHttp = false } = {},
): Promise<void> {
    await ensureDebianPackages(["skopeo"]);
    await withTemporaryFolder("static-export-owner-", async (layout) => {
        mkdirSync(join(layout, "blobs", "sha256"), { recursive: true });
        const blob = (mediaType: string, content: string) => {
            const digest = sha256Of(content);
            writeFileSync(join(layout, "blobs", digest.replace(":", "/")), content);
            return { mediaType, digest, size: Buffer.byteLength(content) };
        };
        const mediaType = "application/vnd.oci.image.manifest.v1+json";
        const metadata = withOwner(readFileSync("charts/artifacthub-repo.yml", "utf8"), owner);
        const title = { "org.opencontainers.image.title": "artifacthub-repo.yml" };
        const manifest = {
            schemaVersion: 2,
            mediaType,
            config: blob(artifactHub.config, "{}"),
            layers: [{ ...blob(artifactHub.metadata, metadata), annotations: title }],
        };
        const index = { schemaVersion: 2, manifests: [blob(mediaType, JSON.stringify(manifest))] };
        writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
        writeFileSync(join(layout, "index.json"), JSON.stringify(index));
        for (const file of filesIn(join(folder, "charts"))) {
            const [, name = ""] = /^(.+?)-\d.*\.tgz$/.exec(basename(file)) ?? [];
            const target = `docker://${registry}/${name}:${artifactHub.tag}`;
            await run("skopeo", [
                ...["copy", "--preserve-digests", `--dest-tls-verify=${!isPlainHttp}`],
                ...[`oci:${layout}`, target],
            ]);
        }
    });
}

/** npm's loglevel, which `npm run -s` passes on, removes errors from stderr, but not from the JSON on stdout. */
const missingInNpm = /"code": ?"E404"/;

const missingInRegistry = /not found|manifest unknown|name unknown/i;

/**
 * Publishes the image, signed and with its SBOM.
 *
 * @param repository - such as `ghcr.io/acme/static-export`
 */
export async function publishImage(
    folder: string,
    version: string,
    repository: string,
    signing: Signing,
    { isPlainHttp = false } = {},
): Promise<void> {
    await ensureDebianPackages(["skopeo"]);
    const tagged = `docker://${repository}:${version}`;
    const layout = join(folder, imageFolder);
    const digest = manifestDigest(layout);
    await publishOnce({
        name: `Image ${imageName} ${version}`,
        digest,
        find: () =>
            run("skopeo", ["inspect", "--format", "{{.Digest}}", `--tls-verify=${!isPlainHttp}`, tagged]).catch(
                unlessMissing(missingInRegistry),
            ),
        publish: () =>
            run("skopeo", ["copy", "--preserve-digests", `--dest-tls-verify=${!isPlainHttp}`, `oci:${layout}`, tagged]),
    });
    await signOnce(`${repository}@${digest}`, sbomOf(folder, imageFolder), signing);
}

/**
 * Tags a commit that contains the generated Go module and is not on a branch. Go finds a module in a repository's
 * folder by a tag that begins with the folder's name.
 *
 * @param repository - a checkout with the remote `origin`
 */
export async function publishGo(folder: string, version: string, repository: string): Promise<void> {
    const module = "sdk/go";
    const worktree = mkdtempSync(join(tmpdir(), "static-export-go-"));
    const git = (...args: string[]) => run("git", ["-C", worktree, ...args]);
    const author = ["-c", "user.name=release", "-c", "user.email=release@localhost"];
    await run("git", ["-C", repository, "worktree", "add", "--detach", worktree]);
    try {
        mkdirSync(join(worktree, module), { recursive: true });
        cpSync(join(folder, "go"), join(worktree, module), { recursive: true });
        await git("add", "--force", module);
        await git(...author, "commit", "--quiet", "--message", `The Go module of ${version}`);
        const tag = `${module}/v${version}`;
        await publishOnce({
            name: `Tag ${tag}`,
            digest: await git("rev-parse", `HEAD:${module}`),
            find: async () => {
                if ((await git("ls-remote", "origin", `refs/tags/${tag}`)) === "") {
                    return undefined;
                }
                await git("fetch", "--quiet", "--depth", "1", "origin", `refs/tags/${tag}`);
                return git("rev-parse", `FETCH_HEAD:${module}`);
            },
            publish: () => git("push", "--quiet", "origin", `HEAD:refs/tags/${tag}`),
        });
    } finally {
        await run("git", ["-C", repository, "worktree", "remove", "--force", worktree]);
        rmSync(worktree, { recursive: true, force: true });
    }
}

function unlessMissing(missing: RegExp, output: "stdout" | "stderr" = "stderr"): (error: CommandError) => undefined {
    return (error) => {
        if (!missing.test(error[output])) {
            throw error;
        }
        return undefined;
    };
}

/** @param download - downloads at most one file into a folder */
async function digestOfDownload(download: (folder: string) => Promise<unknown>): Promise<string | undefined> {
    return withTemporaryFolder("static-export-published-", async (folder) => {
        await download(folder);
        return filesIn(folder).map(sha256)[0];
    });
}

function sha256(file: string): string {
    return sha256Of(readFileSync(file));
}

function sha256Of(content: string | Buffer): string {
    return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

function filesIn(folder: string): string[] {
    return readdirSync(folder)
        .sort()
        .map((name) => join(folder, name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const [argument] = process.argv.slice(2);
    if (argument === undefined) {
        console.error("Usage: npm run release:publish -- FOLDER");
        process.exit(2);
    }
    const [folder, owner, version] = [resolve(argument), requireOwner(), buildVersion()];
    if (!/^\d+\.\d+\.\d+$/.test(version)) {
        throw new Error(`${version} is not a release: check its tag out, without changes.`);
    }
    await publishNpm(folder, ["--provenance"]);
    await publishPython(folder, []);
    const signing = signedByWorkflow(owner, version);
    await publishCharts(folder, `ghcr.io/${owner}/charts`, signing);
    await publishChartOwner(folder, `ghcr.io/${owner}/charts`, owner);
    await publishImage(folder, version, `ghcr.io/${owner}/${imageName}`, signing);
    await publishMaven(folder, owner, version, mavenCentral());
    await publishGo(folder, version, process.cwd());
    console.log(`Published ${version}.`);
}
