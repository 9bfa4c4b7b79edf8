/**
 * npm run pack -- [--pack-destination FOLDER]: packs the npm packages of this checkout, each under the build's version;
 * with RELEASE_OWNER, also under the names of a release.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildVersion } from "../names/build-version.js";
import {
    type PublishedFolder,
    publishedFolders,
    publishedName,
    requireOwner,
    withOwner,
} from "../names/owner-names.js";
import { finishChart } from "./chart-files.js";
import { writeCreatePackage } from "./create-package.js";
import { changelogOf } from "./package-changelog.js";
import { removeEarlierVersions } from "./replaced-packages.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface PackedFile {
    filename: string;
}

/**
 * Compiles once, and writes the packages of each version into a folder.
 *
 * @returns the paths of the files
 */
export function packPackages(
    versions: readonly { version: string; destination: string }[],
    owner: string | undefined,
): string[] {
    const work = mkdtempSync(join(tmpdir(), "static-export-pack-"));
    try {
        const packed = pack(root, work, ...publishedFolders.map((folder) => `--workspace=${folder}`));
        return versions.flatMap(({ version, destination }) => {
            mkdirSync(destination, { recursive: true });
            const folders = packed.map(({ filename }, at) => {
                const folder = join(work, version, publishedFolders[at]!);
                mkdirSync(folder, { recursive: true });
                execFileSync("tar", ["-xzf", join(work, filename), "--strip-components=1", "-C", folder]);
                finishPackage(folder, publishedFolders[at]!, version, owner);
                return folder;
            });
            const create = join(work, version, "create");
            writeCreatePackage(create, folders[publishedFolders.indexOf("cli")]!, owner);
            const finished = pack(root, destination, "--ignore-scripts", ...folders, create);
            return finished.map(({ filename }) => join(destination, filename));
        });
    } finally {
        rmSync(work, { recursive: true });
    }
}

/** Packs the packages, which npm lists in the order of its arguments. */
function pack(cwd: string, destination: string, ...args: string[]): PackedFile[] {
    const output = execFileSync("npm", ["pack", "--json", "--pack-destination", destination, ...args], {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
        maxBuffer: 2 ** 26,
    });
    // Scripts of the packages print before the list.
    return JSON.parse(output.slice(output.search(/^\[/m))) as PackedFile[];
}

function finishPackage(folder: string, published: PublishedFolder, version: string, owner: string | undefined): void {
    const {
        scripts: _scripts,
        devDependencies: _development,
        ...manifest
    } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown> & {
        name: string;
        files: string[];
    };
    const write = (name: string, text: string) =>
        writeFileSync(join(folder, name), owner === undefined ? text : withOwner(text, owner));
    const name = owner === undefined ? manifest.name : publishedName(published, owner);
    const files = [...manifest.files, "CHANGELOG.md"];
    write("package.json", `${JSON.stringify({ ...manifest, name, version, files }, undefined, 2)}\n`);
    write("README.md", readFileSync(join(folder, "README.md"), "utf8"));
    dropSourceMaps(folder);
    const charts = join(folder, "charts");
    if (owner !== undefined && existsSync(charts)) {
        for (const chart of readdirSync(charts)) {
            finishChart(join(charts, chart), chart, owner, version);
        }
    }
    write("CHANGELOG.md", changelogOf(published, readFileSync(join(root, "CHANGELOG.md"), "utf8")));
}

/** Source maps would double the size of a package, so no file refers to one. */
function dropSourceMaps(folder: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) =>
        /\.[cm]?js$/.test(each),
    )) {
        const file = join(folder, name);
        const code = readFileSync(file, "utf8");
        const without = code.replace(/^\/\/# sourceMappingURL=\S+\n?$/gm, "");
        if (without !== code) {
            writeFileSync(file, without);
        }
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const { values } = parseArgs({ options: { "pack-destination": { type: "string", default: "." } } });
    const owner = process.env["RELEASE_OWNER"] === undefined ? undefined : requireOwner();
    const [version, destination] = [buildVersion(), resolve(values["pack-destination"])];
    const files = packPackages([{ version, destination }], owner);
    const removed = removeEarlierVersions(destination, files, version);
    const replaced = removed.length === 0 ? "" : ", in place of an earlier version";
    console.log(`Packed ${files.length} packages of version ${version} into ${destination}${replaced}.`);
}
