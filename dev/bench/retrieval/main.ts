/**
 * Searches exported sites of other projects for the page that answers a question, with the exporter's search and with
 * other engines. See ../README.md for the figures.
 */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { run } from "@pulumi-static-export/toolchain";
import { runOnLinux } from "../run-on-linux.js";
import { measureExport } from "../site/measured-export.js";
import { checkOut } from "./checkout.js";
import { type Engine, engines } from "./engines.js";
import { type ExportedPage, readExportedPage } from "./exported-pages.js";
import { type Question, questionsOf } from "./questions.js";
import { headingsIn, removeHeadings } from "./source-headings.js";
import { measuredSites, tuningSites } from "./sites.js";

const help = `Searches the documentation sites of three other projects for the pages that answer 300 questions,
with this project's search, Pagefind, MiniSearch and Orama. The questions are headings and questions
of FAQs, which are removed from the pages before the search.
Fails when another engine finds the right page among its first five more often. Runs only on Linux.

    npm run bench retrieval -- [options]

    --mirrors <folder>    clones to read from, named owner+name (others are cloned from GitHub)
    --tuning              uses other sites, on which the ranking can be tuned
    --misses              prints the questions that this project's search does not answer
    --questions <number>  questions about each site (default 100)
    --help                this text
`;

const firstPages = 5;

interface Options {
    readonly mirrors?: string | undefined;
    readonly tuning: boolean;
    readonly misses: boolean;
    readonly questions: number;
}

await runOnLinux(help, parseOptions, measure);

function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            mirrors: { type: "string" },
            tuning: { type: "boolean", default: false },
            misses: { type: "boolean", default: false },
            questions: { type: "string", default: "100" },
            help: { type: "boolean", default: false },
        },
    });
    return values.help ? undefined : { ...values, questions: Number(values.questions) };
}

async function measure({ mirrors, tuning, misses, questions }: Options): Promise<void> {
    const scratch = await mkdtemp(join(tmpdir(), "bench-retrieval-"));
    const totals = new Map<string, number>();
    try {
        console.log(`| site | commit | pages | questions, of a FAQ | ${engines.map(({ name }) => name).join(" | ")} |`);
        console.log(`| --- | --- | ---: | ---: |${" ---: |".repeat(engines.length)}`);
        for (const site of tuning ? tuningSites : measuredSites) {
            const target = join(scratch, site.repository.replace("/", "+"));
            const { sourceDir, commit } = await checkOut(site, target, mirrors);
            const whole = await pagesOf(await exportSite(sourceDir, join(target, "whole")));
            const asked = questionsOf(whole, questions, await headingsIn(sourceDir));
            await removeHeadings(sourceDir, new Set(asked.map(({ text }) => text)));
            const folder = await exportSite(sourceDir, join(target, "asked"));
            const pages = await pagesOf(folder);
            const cells: string[] = [];
            for (const engine of engines) {
                const right = await ask(engine, { folder, pages, scratch }, asked);
                totals.set(engine.name, (totals.get(engine.name) ?? 0) + right.size);
                cells.push(`${right.size}, ${countOfFaq([...right])}`);
                if (misses && engine === engines[0]) {
                    for (const { text, page } of asked.filter((question) => !right.has(question))) {
                        console.error(`${page}: ${text}`);
                    }
                }
            }
            const facts = [site.repository, `\`${commit}\``, pages.length, `${asked.length}, ${countOfFaq(asked)}`];
            console.log(`| ${[...facts, ...cells].join(" | ")} |`);
            await rm(target, { recursive: true, force: true });
        }
        console.log(`| all | | | | ${engines.map(({ name }) => totals.get(name)).join(" | ")} |`);
        const [own = 0, ...others] = engines.map(({ name }) => totals.get(name) ?? 0);
        if (others.some((other) => other >= own)) {
            process.exitCode = 1;
        }
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

function countOfFaq(questions: readonly Question[]): number {
    return questions.filter(({ kind }) => kind === "FAQ").length;
}

/** @returns the folder of the exported site */
async function exportSite(sourceDir: string, target: string): Promise<string> {
    const [workDir, cacheDir, folder] = [join(target, "work"), join(target, "cache"), join(target, "site")];
    const { archivePath } = await measureExport({ sourceDir, workDir, cacheDir });
    await mkdir(folder);
    await run("tar", ["-xzf", archivePath, "-C", folder]);
    return folder;
}

/** Returns the pages that the export lists, which are in the default language and version. */
async function pagesOf(site: string): Promise<ExportedPage[]> {
    const exported = await ExportedSite.open(new FolderFiles(site));
    const pages: ExportedPage[] = [];
    for (const { path } of await exported.pages()) {
        const page = await readExportedPage(site, path);
        if (page !== undefined) {
            pages.push(page);
        }
    }
    return pages;
}

interface Searched {
    readonly folder: string;
    readonly pages: readonly ExportedPage[];
    readonly scratch: string;
}

/**
 * Lets an engine search a copy of a site, because some engines write their index into it.
 *
 * @returns the questions whose right page was among the first results
 */
async function ask(
    engine: Engine,
    { folder, pages, scratch }: Searched,
    asked: readonly Question[],
): Promise<Set<Question>> {
    const site = await mkdtemp(join(scratch, "engine-"));
    await cp(folder, site, { recursive: true });
    const { search, close } = await engine.open(site, pages);
    try {
        const right = new Set<Question>();
        for (const question of asked) {
            const found = [...new Set(await search(question.text))];
            if (found.slice(0, firstPages).includes(question.page)) {
                right.add(question);
            }
        }
        return right;
    } finally {
        close?.();
        await rm(site, { recursive: true, force: true });
    }
}
