/**
 * Exports other projects' documentation sites unchanged. See ../README.md for the figures.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "@pulumi-static-export/toolchain";
import { measureExport } from "../site-export/measured-export.js";
import { checkOut } from "./checkout.js";
import { findDeadLinks } from "./dead-links.js";
import { findLostLines, type PlacedWarning } from "./lost-lines.js";
import { type ForeignSite, foreignSites } from "./sites.js";

const help = `Exports documentation sites of others as they are, follows all their links, and
looks up every line of their pages. Linux.

    npm run bench:foreign -- [options] [owner/name[:folder] ...]

    --mirrors <folder>  clones to read from, called owner+name; the rest is cloned from GitHub
    --details <file>    writes warnings, dead links and lost lines as JSON
    --help              this text
`;

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { mirrors: { type: "string" }, details: { type: "string" }, help: { type: "boolean", default: false } },
});
if (values.help) {
    console.log(help);
} else {
    const sites = positionals.length === 0 ? foreignSites : positionals.map(toSite);
    const folder = await mkdtemp(join(tmpdir(), "foreign-sites-"));
    const details: Record<string, unknown> = {};
    console.log(
        "| repository | commit | pages | seconds | memory | warnings | links | dead in the source | lost | lines | lines lost without a warning |",
    );
    console.log("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    try {
        for (const site of sites) {
            console.log(await measure(site, folder, details));
            if (values.details !== undefined) {
                await writeFile(values.details, JSON.stringify(details, null, 2));
            }
        }
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

function toSite(text: string): ForeignSite {
    const [repository = "", folder = "."] = text.split(":", 2);
    return { repository, folder };
}

/** @returns a row of the table */
async function measure(site: ForeignSite, folder: string, details: Record<string, unknown>): Promise<string> {
    const target = join(folder, site.repository.replace("/", "+"));
    try {
        const { siteDir, commit } = await checkOut(site, target, values.mirrors);
        const warningsFile = join(target, "warnings.jsonl");
        const folders = { warningsFile, siteDir, workDir: join(target, "work"), cacheDir: join(target, "cache") };
        const { usage, archivePath, pageCount, warnings } = await measureExport(folders);
        const { wallSeconds, peakMegabytes } = usage;
        const exported = join(target, "exported");
        await mkdir(exported);
        await run("tar", ["-xzf", archivePath, "-C", exported]);
        const { links, deadInSource, lost } = await findDeadLinks(exported, siteDir);
        const { lines, lost: lostLines } = await findLostLines(exported, siteDir, await readWarnings(warningsFile));
        details[site.repository] = { warnings, deadInSource, lost, lostLines };
        const kinds = Object.entries(warnings?.countByKind ?? {}).map(([kind, count]) => `${count} ${kind}`);
        return row([
            site.repository,
            `\`${commit}\``,
            pageCount,
            wallSeconds.toFixed(1),
            `${peakMegabytes.toFixed(0)} MB`,
            kinds.join(", ") || "none",
            links,
            deadInSource.length,
            lost.length,
            lines,
            lostLines.length,
        ]);
    } catch (error) {
        details[site.repository] = { error: String(error) };
        return row([site.repository, "", `failed: ${String(error).replace(/\s+/g, " ").slice(0, 200)}`]);
    } finally {
        await rm(target, { recursive: true, force: true });
    }
}

async function readWarnings(file: string): Promise<PlacedWarning[]> {
    const lines = (await readFile(file, "utf8")).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as PlacedWarning);
}

function row(cells: readonly (string | number)[]): string {
    return `| ${cells.join(" | ")} |`;
}
