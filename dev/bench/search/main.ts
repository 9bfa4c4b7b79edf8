/**
 * Measures searches of an exported site in a browser and through the answer server: the time of answers, and the size
 * of a first search. See ../README.md for the figures.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { quantile } from "../median.js";
import { measureExport } from "../site/measured-export.js";
import { measureAnswers } from "./answer-server.js";
import { SearchCorpus } from "./corpus.js";
import { answerMs, hitCount, openSearch } from "./reader.js";
import { withServedSite, type ServedSite } from "./served-site.js";

const help = `Exports a site of many words, searches it in a browser, and then with 50 clients through the answer server:
once as fast as they get answers, once with one query a second each. Fails when p99 of the browser or of the second
load is above 50 ms. Runs only on Linux, with /usr/bin/chromium.

    npm run bench search -- [options]

    --pages <number>    how many pages the site has (default 20000)
    --queries <number>  how many queries are timed (default 100)
    --first <number>    how many readers search for the first time (default 20)
    --answers <number>  how many queries the answer server gets in each load (default 3000)
    --seed <number>     other words (default 1)
    --help              this text
`;

const executablePath = "/usr/bin/chromium";

interface Bytes {
    readonly plain: number;
    /** The size after compression by the chart's nginx. */
    readonly gzip: number;
}

const clients = 50;
const goal = { answerMs: 50, firstKilobytes: 100 };

const { values } = parseArgs({
    options: {
        pages: { type: "string", default: "20000" },
        queries: { type: "string", default: "100" },
        first: { type: "string", default: "20" },
        answers: { type: "string", default: "3000" },
        seed: { type: "string", default: "1" },
        help: { type: "boolean", default: false },
    },
});
if (values.help) {
    console.log(help);
} else if (!existsSync(executablePath)) {
    console.error("There is no chromium at /usr/bin/chromium (Debian: apt-get install chromium).");
    process.exitCode = 1;
} else {
    await measure({
        pages: Number(values.pages),
        queries: Number(values.queries),
        first: Number(values.first),
        answers: Number(values.answers),
        seed: Number(values.seed),
    });
}

interface Counts {
    readonly pages: number;
    readonly queries: number;
    readonly first: number;
    readonly answers: number;
    readonly seed: number;
}

async function measure({ pages, queries, first, answers: asked, seed }: Counts): Promise<void> {
    await withTemporaryFolder("bench-search-", async (folder) => {
        const corpus = new SearchCorpus(pages, seed);
        await corpus.write(join(folder, "pages"));
        const { usage, archivePath } = await measureExport({
            sourceDir: join(folder, "pages"),
            workDir: join(folder, "work"),
            cacheDir: join(folder, "cache"),
        });
        const site = join(folder, "site");
        await mkdir(site);
        await promisify(execFile)("tar", ["-xzf", archivePath, "-C", site]);
        const inBrowser = corpus.queries(queries + first);
        await withServedSite(site, async (served) => {
            const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
            try {
                const answers = await timesOf(browser, served, inBrowser.slice(0, queries));
                const bytes = await firstBytes(browser, served, inBrowser.slice(queries));
                console.log(`${pages} pages, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1)}\n`);
                console.log("| what | median | p99 | max |\n| --- | ---: | ---: | ---: |");
                console.log(`| answer, ms | ${row(answers, 1)} |`);
                const plain = bytes.map((each) => each.plain / 1000);
                const gzip = bytes.map((each) => each.gzip / 1000);
                console.log(`| loaded by a first search, kB | ${row(plain, 1)} |`);
                console.log(`| the same, compressed, kB | ${row(gzip, 1)} |`);
                console.log(
                    `\nexport: ${usage.cpuSeconds.toFixed(1)} s of CPU time, ${usage.peakMegabytes.toFixed(0)} MB`,
                );
                const ofClients = await measureClients(site, corpus, asked);
                if (
                    ofClients > goal.answerMs ||
                    quantile(answers, 0.99) > goal.answerMs ||
                    Math.max(...gzip) > goal.firstKilobytes
                ) {
                    process.exitCode = 1;
                }
            } finally {
                await browser.close();
            }
        });
    });
}

/** @returns the 99th percentile of the response times for clients that send one request per second */
async function measureClients(site: string, corpus: SearchCorpus, count: number): Promise<number> {
    const loads = [0, 1000].map((everyMs) => ({ clients, everyMs, queries: corpus.queries(count) }));
    const figures = await measureAnswers(site, corpus.queries(count * 2), loads);
    console.log(
        `\n| answer server, ${clients} clients | requests/s | median, ms | p99, ms | max, ms | CPU of a request, ms | MB |`,
    );
    console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    figures.forEach(({ timesMs, requestsPerSecond, cpuMsPerRequest, peakMegabytes }, at) => {
        const load = loads[at]?.everyMs === 0 ? "without a pause" : "one query a second each";
        const cells = [requestsPerSecond.toFixed(0), row(timesMs, 1), cpuMsPerRequest.toFixed(2)];
        console.log(`| ${load} | ${cells.join(" | ")} | ${peakMegabytes.toFixed(0)} |`);
    });
    return quantile(figures[1]?.timesMs ?? [], 0.99);
}

/** Measures answers for a reader who enters one query after another. */
async function timesOf(browser: Browser, { url }: ServedSite, queries: readonly string[]): Promise<number[]> {
    const page = await openSearch(browser, `${url}/part-0/page-0.html`);
    const times: number[] = [];
    let answered = 0;
    for (const query of queries) {
        // Without a pause, the search would treat the query as a continuation of the last query.
        await page.waitForTimeout(400);
        times.push(await answerMs(page, query));
        answered += (await hitCount(page)) > 0 ? 1 : 0;
    }
    console.log(`${answered} of ${queries.length} queries found something`);
    return times;
}

/** Measures the data that readers load on their first visit, from the key that opens the search to the last answer. */
async function firstBytes(browser: Browser, { url, served }: ServedSite, queries: readonly string[]): Promise<Bytes[]> {
    const bytes: Bytes[] = [];
    for (const query of queries) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`${url}/part-0/page-0.html`, { waitUntil: "load" });
        const before = served.length;
        await page.keyboard.press("/");
        await page.getByText("Type to search.").waitFor();
        await page.keyboard.type(query, { delay: 120 });
        const answer = page.locator("dialog.search [role=option], dialog.search .status", { hasText: /^(?!Type to)./ });
        await answer.first().waitFor();
        const loaded = served.slice(before);
        bytes.push({
            plain: loaded.reduce((sum, each) => sum + each.bytes, 0),
            gzip: loaded.reduce((sum, each) => sum + each.gzipBytes, 0),
        });
        await context.close();
    }
    return bytes;
}

function row(figures: readonly number[], digits: number): string {
    return [0.5, 0.99, 1].map((share) => quantile(figures, share).toFixed(digits)).join(" | ");
}
