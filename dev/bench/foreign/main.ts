/**
 * Exports other projects' documentation sites unchanged. See ../README.md for the figures.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { run } from "@pulumi-static-export/toolchain";
import { chromium, type Browser } from "playwright-core";
import { measureExport } from "../site/measured-export.js";
import { findMissingFields } from "./api-fields.js";
import { checkOut } from "./checkout.js";
import { findDeadLinks } from "./dead-links.js";
import { findLostLines, type PlacedWarning } from "./lost-lines.js";
import { ShownPages, type ShownPage } from "./shown-pages.js";
import { type ForeignSite, foreignSites } from "./sites.js";

const help = `Exports documentation sites of others as they are, follows all their links, opens
every page in a browser, and looks up in it every line of the sources and every
field of the first level of API documents. Linux, with /usr/bin/chromium.

    npm run bench foreign -- [options] [owner/name[:folder] ...]

    --mirrors <folder>  clones to read from, called owner+name; the rest is cloned from GitHub
    --details <file>    writes warnings, dead links, blank pages, lost lines and
                        missing fields as JSON
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
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
    console.log(
        "| repository | commit | pages | seconds | memory | warnings | links | dead in the source | lost | lines | lines lost without a warning | blank pages | API fields | API fields missing |",
    );
    console.log("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    try {
        for (const site of sites) {
            console.log(await measure(site, { browser, folder, details }));
            if (values.details !== undefined) {
                await writeFile(values.details, JSON.stringify(details, null, 2));
            }
        }
    } finally {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
    }
}

interface Measuring {
    readonly browser: Browser;
    readonly folder: string;
    readonly details: Record<string, unknown>;
}

function toSite(text: string): ForeignSite {
    const [repository = "", folder = "."] = text.split(":", 2);
    return { repository, folder };
}

/** @returns a row of the table */
async function measure(site: ForeignSite, { browser, folder, details }: Measuring): Promise<string> {
    const target = join(folder, site.repository.replace("/", "+"));
    try {
        const { sourceDir, commit } = await checkOut(site, target, values.mirrors);
        const warningsFile = join(target, "warnings.jsonl");
        const folders = { warningsFile, sourceDir, workDir: join(target, "work"), cacheDir: join(target, "cache") };
        const { usage, archivePath, pageCount, warnings } = await measureExport(folders);
        const { wallSeconds, peakMegabytes } = usage;
        const exported = join(target, "exported");
        await mkdir(exported);
        await run("tar", ["-xzf", archivePath, "-C", exported]);
        const { links, deadInSource, lost } = await findDeadLinks(exported, sourceDir);
        const shown = await readShownPages(browser, exported);
        const blank = [...shown].flatMap(([file, { isBlank }]) => (isBlank ? [file] : []));
        const texts = new Map([...shown].map(([file, page]) => [file, textsOf(page)]));
        const { lines, lost: lostLines } = await findLostLines(texts, sourceDir, await readWarnings(warningsFile));
        const { fields, missing } = await findMissingFields([...shown.values()], sourceDir);
        details[site.repository] = { warnings, deadInSource, lost, lostLines, blank, missing };
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
            blank.length,
            fields,
            missing.length,
        ]);
    } catch (error) {
        details[site.repository] = { error: String(error) };
        return row([site.repository, "", `failed: ${String(error).replace(/\s+/g, " ").slice(0, 200)}`]);
    } finally {
        await rm(target, { recursive: true, force: true });
    }
}

async function readShownPages(browser: Browser, exported: string): Promise<Map<string, ShownPage>> {
    const pages = await ShownPages.open(browser, exported);
    const shown = new Map<string, ShownPage>();
    try {
        const entries = await readdir(exported, { recursive: true, withFileTypes: true });
        for (const entry of entries.filter(({ name }) => name.endsWith(".html"))) {
            const file = relative(exported, join(entry.parentPath, entry.name));
            const page = await pages.read(file);
            if (page !== undefined) {
                shown.set(file, page);
            }
        }
    } finally {
        await pages.close();
    }
    return shown;
}

function textsOf({ title, description, text, others }: ShownPage): string[] {
    return [title, description, text, ...others];
}

async function readWarnings(file: string): Promise<PlacedWarning[]> {
    const lines = (await readFile(file, "utf8")).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as PlacedWarning);
}

function row(cells: readonly (string | number)[]): string {
    return `| ${cells.join(" | ")} |`;
}
