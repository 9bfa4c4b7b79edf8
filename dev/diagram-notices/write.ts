/**
 * npm run diagram-notices: writes the notices of the packages inside the script that draws diagrams. The script itself
 * does not list its packages, but the source maps of its larger packages do.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@pulumi-static-export/toolchain";
import { writeNoticesOfPackages } from "../toolchain/third-party-notices.mjs";

const exporter = new URL("../../exporter/", import.meta.url);
const tiny = "@mermaid-js/tiny";
/** The small script excludes mind maps, architecture diagrams and formulas, as its README says. */
const notInside = /^(?:cytoscape|cose-base|layout-base|katex)\b/;

const require = createRequire(new URL("package.json", exporter));
const { version } = require(`${tiny}/package.json`) as { version: string };
const work = mkdtempSync(join(tmpdir(), "static-export-diagram-notices-"));
try {
    const [mermaid = ""] = await unpack(`mermaid@${version}`);
    const { dependencies } = JSON.parse(readFileSync(join(mermaid, "package.json"), "utf8")) as {
        dependencies: Record<string, string>;
    };
    const parser = "@mermaid-js/parser";
    const made = [mermaid, ...(await unpack(`${parser}@${dependencies[parser]?.replace(/^\D/, "")}`))];
    const packages = [...new Set(made.flatMap(packagesInSourceMaps).filter((name) => !notInside.test(name)))].sort();
    const artifact = join(work, "artifact");
    mkdirSync(join(artifact, "node_modules"), { recursive: true });
    for (const [index, folder] of (await unpack(...packages)).entries()) {
        // The script may contain several versions of a package.
        renameSync(folder, join(artifact, "node_modules", String(index)));
    }
    writeNoticesOfPackages({ folder: artifact, artifact: `${tiny} ${version}` });
    const notices = readFileSync(join(artifact, "THIRD-PARTY-NOTICES.txt"), "utf8");
    writeFileSync(new URL("diagram-notices.txt", exporter), notices.replace(/[ \t]+$/gm, ""));
    console.log(`Wrote the notices of ${packages.length} packages.`);
} finally {
    rmSync(work, { recursive: true });
}

/** @returns the folders of packages from the registry, in their order */
async function unpack(...names: string[]): Promise<string[]> {
    const packed = await run("npm", ["pack", "--silent", "--pack-destination", work, ...names]);
    return Promise.all(
        packed.split("\n").map(async (file) => {
            const folder = mkdtempSync(join(work, "package-"));
            await run("tar", ["-xzf", join(work, file), "--strip-components=1", "-C", folder]);
            return folder;
        }),
    );
}

/** Lists the packages in source maps, with versions if the maps contain versions. */
function packagesInSourceMaps(folder: string): string[] {
    const maps = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".map"));
    const sources = maps.flatMap(
        (name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { sources: string[] }).sources,
    );
    const inStore = /node_modules\/(?:\.pnpm\/([^/]+)\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\//g;
    return sources.flatMap((source) => {
        const [, stored = "", name] = [...source.matchAll(inStore)].at(-1) ?? [];
        const [, found] = /^.+?@(\d[\d.]*)/.exec(stored) ?? [];
        return name === undefined ? [] : [found === undefined ? name : `${name}@${found}`];
    });
}
