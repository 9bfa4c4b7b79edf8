import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createService } from "@pulumi-static-export/service";
import { type Recording } from "./recordings.js";

/**
 * Records the progress of real export jobs of service/: `npx tsx bench/polling/record.ts --pages 200,1000,3000`
 * (after `npm run build`) writes two fixtures per page count: a first export, and one with warm caches.
 */
const { values } = parseArgs({ options: { pages: { type: "string", default: "200,1000,3000" } } });
const pollEveryMs = 25;
const pagesPerFolder = 40;
const adminApiKey = "recording";

for (const pages of values.pages.split(",").map(Number)) {
    const folder = mkdtempSync(join(tmpdir(), "polling-"));
    try {
        await recordJobs(pages, folder);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

async function recordJobs(pages: number, folder: string): Promise<void> {
    const site = join(folder, "site");
    for (let page = 0; page < pages; page += 1) {
        const section = join(site, `section-${Math.floor(page / pagesPerFolder)}`);
        mkdirSync(section, { recursive: true });
        writeFileSync(join(section, `page-${page}.md`), markdown(page));
    }
    const service = createService({ dataDir: join(folder, "data"), sites: { "docs.example.com": site }, adminApiKey });
    try {
        const baseUrl = await service.listen();
        for (const cache of ["cold", "warm"]) {
            const recording = await recordJob(baseUrl, `${pages} pages, ${cache} cache`);
            const fixture = new URL(`fixtures/${pages}-pages-${cache}.json`, import.meta.url);
            writeFileSync(fixture, `${JSON.stringify(recording)}\n`);
            console.log(`${recording.name}: ${recording.lengthMs} ms, ${recording.told.length} changes`);
        }
    } finally {
        await service.close();
    }
}

async function recordJob(baseUrl: string, name: string): Promise<Recording> {
    const headers = { authorization: `Bearer ${adminApiKey}`, "content-type": "application/json" };
    const ask = async (path: string, init?: RequestInit) => {
        const response = await fetch(`${baseUrl}${path}`, { headers, ...init });
        if (!response.ok) {
            throw new Error(`${response.status} ${await response.text()}`);
        }
        return (await response.json()) as { jobId: string; status: string; progress?: number };
    };
    const startedMs = performance.now();
    const body = JSON.stringify({ domain: "docs.example.com" });
    const { jobId } = await ask("/v1/static-export/jobs", { method: "POST", body });
    const told: [number, number | null][] = [];
    for (let polls = 0; polls < 100_000; polls += 1) {
        const { status, progress = null } = await ask(`/v1/static-export/jobs/${jobId}`);
        const elapsedMs = Math.round(performance.now() - startedMs);
        if (status === "completed") {
            return { name, lengthMs: elapsedMs, told };
        }
        if (status === "failed") {
            break;
        }
        if (told.at(-1)?.[1] !== progress) {
            told.push([elapsedMs, progress]);
        }
        await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
    }
    throw new Error(`The job of ${name} did not complete.`);
}

/** Writes a page. Pages differ in length, as real pages do. */
function markdown(page: number): string {
    const sections = 1 + ((page * 7919) % 23);
    const text = Array.from(
        { length: sections },
        (_, section) =>
            `## Section ${section}\n\nText of page ${page}, with a [link](page-${section}.md) and \`code\`.\n`,
    );
    return `# Page ${page}\n\n${text.join("\n")}`;
}
