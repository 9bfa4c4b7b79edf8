/**
 * npm run release:sboms -- FOLDER: writes a CycloneDX SBOM for each artifact of a release, with the packages that it
 * contains. Dependencies that npm, pip, Go, Maven and NuGet install are in the package's own manifest.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { parse } from "yaml";
import { run } from "@pulumi-static-export/toolchain";
import { nodeVersion } from "../../../plugin/node-archives.mjs";
import { buildVersion } from "../names/build-version.js";
import { type Component, componentsOfImage, manifestDigest } from "./image-components.js";
import { imageFolder } from "./image.js";

export interface Sbom {
    readonly metadata: { readonly component: Component };
    readonly components: readonly Component[];
}

const node: Component = {
    type: "application",
    name: "node",
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
    licenses: [{ license: { name: "See LICENSE-of-Node.js" } }],
};

/** Returns the path of an artifact's SBOM. */
export function sbomOf(release: string, artifact: string): string {
    return join(release, "sbom", `${artifact}.cdx.json`);
}

/** @param release - the folder that {@link buildReleases} wrote */
export async function writeSboms(release: string, version: string): Promise<void> {
    const write = (
        artifact: string,
        type: Component["type"],
        purl: string,
        components: readonly Component[],
        own = version,
    ) => writeSbom(sbomOf(release, artifact), { type, name: artifact, version: own, purl }, components);
    for (const file of namesIn(release, "npm", ".tgz")) {
        const archive = join(release, "npm", file);
        const manifest = JSON.parse(await fileIn(archive, "package/package.json")) as { name: string };
        const bundled = await bundledIn(archive, "package/sbom.cdx.json");
        await write(file, "library", `pkg:npm/${manifest.name.replace("@", "%40")}@${version}`, bundled);
    }
    for (const file of namesIn(release, "plugin", ".tar.gz")) {
        const bundled = componentsIn(await fileIn(join(release, "plugin", file), "sbom.cdx.json"));
        await write(file, "application", `pkg:generic/pulumi-resource-static-export@${version}`, [node, ...bundled]);
    }
    // These packages contain only what Pulumi generates.
    for (const file of namesIn(release, "python", ".whl")) {
        const [name = "", wheelVersion = ""] = file.split("-");
        await write(file, "library", `pkg:pypi/${name.toLowerCase().replaceAll("_", "-")}@${wheelVersion}`, []);
    }
    for (const file of namesIn(release, "maven", `-${version}.jar`)) {
        // The folders are those of a Maven repository: group, artifact and version.
        const [name = "", ...group] = dirname(dirname(file)).split("/").reverse();
        await write(basename(file), "library", `pkg:maven/${group.reverse().join(".")}/${name}@${version}`, []);
    }
    for (const file of namesIn(release, "nuget", ".nupkg")) {
        await write(basename(file), "library", `pkg:nuget/${basename(file, `.${version}.nupkg`)}@${version}`, []);
    }
    for (const file of namesIn(release, "charts", ".tgz")) {
        const [, chart = ""] = /^(.+?)-\d/.exec(file) ?? [];
        const archive = join(release, "charts", file);
        const images = imagesIn(parse(await fileIn(archive, `${chart}/values.yaml`)));
        const bundled = await bundledIn(archive, `${chart}/sbom.cdx.json`);
        // A chart's version changes only with the chart.
        const chartVersion = file.slice(chart.length + 1, -".tgz".length);
        await write(file, "application", `pkg:helm/${chart}@${chartVersion}`, [...images, ...bundled], chartVersion);
    }
    if (readdirSync(release).includes(imageFolder)) {
        const layout = join(release, imageFolder);
        const digest = encodeURIComponent(manifestDigest(layout));
        const components = await componentsOfImage(layout);
        await write(imageFolder, "container", `pkg:oci/static-export@${digest}`, components);
    }
}

/** @throws Error when the SBOM does not match the schema of CycloneDX */
async function writeSbom(file: string, artifact: Component, components: readonly Component[]): Promise<void> {
    const sbom = {
        $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
        bomFormat: "CycloneDX",
        specVersion: "1.6",
        version: 1,
        metadata: {
            component: { "bom-ref": "artifact", licenses: [{ license: { id: "Apache-2.0" } }], ...artifact },
        },
        components: components.map((each, index) => ({ ...each, "bom-ref": `${index} ${each.name}` })),
    };
    const text = `${JSON.stringify(sbom, undefined, 2)}\n`;
    const problem: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
    if (problem !== null) {
        throw new Error(`The SBOM of ${artifact.name} is not valid: ${JSON.stringify(problem)}`);
    }
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
}

/** Returns the packages that an archive contains in bundled files, which its own SBOM lists. */
async function bundledIn(archive: string, sbom: string): Promise<readonly Component[]> {
    return (await hasFile(archive, sbom)) ? componentsIn(await fileIn(archive, sbom)) : [];
}

function componentsIn(sbom: string): readonly Component[] {
    return (JSON.parse(sbom) as Sbom).components;
}

/** Returns the images that a chart's pods use by default. */
function imagesIn(values: unknown): Component[] {
    if (typeof values !== "object" || values === null) {
        return [];
    }
    const { repository, tag } = values as { repository?: unknown; tag?: unknown };
    if (typeof repository !== "string") {
        return Object.values(values).flatMap(imagesIn);
    }
    return repository === "" ? [] : [imageComponent(repository, String(tag))];
}

/** An image whose first part contains a dot or a port is not from Docker Hub. */
function imageComponent(repository: string, version: string): Component {
    const [, registry, path = repository] = /^([^/]*[.:][^/]*)\/(.+)$/.exec(repository) ?? [];
    const query = registry === undefined ? "" : `?repository_url=${registry}`;
    return { type: "container", name: repository, version, purl: `pkg:docker/${path}@${version}${query}` };
}

/** Returns no names for a folder that does not exist: without the .NET SDK, a release has no `nuget/`. */
function namesIn(release: string, folder: string, ending: string): string[] {
    if (!existsSync(join(release, folder))) {
        return [];
    }
    const names = readdirSync(join(release, folder), { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(ending)).sort();
}

function fileIn(archive: string, path: string): Promise<string> {
    return run("tar", ["-xzOf", archive, path]);
}

async function hasFile(archive: string, path: string): Promise<boolean> {
    return (await run("tar", ["-tzf", archive])).split("\n").includes(path);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const [folder] = process.argv.slice(2);
    if (folder === undefined) {
        console.error("Usage: npm run release:sboms -- FOLDER");
        process.exit(2);
    }
    await writeSboms(resolve(folder), buildVersion());
}
