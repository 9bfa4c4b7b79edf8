import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ProcessExporter, type ExportLimits } from "@pulumi-static-export/exporter";
import { crashingPages } from "../support/hostile-pages.js";
import { type Files, withFolder, writeFiles } from "../support/site-fixture.js";

/** The main thread writes the first group of pages, and a worker the second one. */
const ofMainThread = "guide";
const ofWorker = "page-13a";

/** Pages for two threads, and one page that exceeds a limit. */
function siteWith(file: string, source: string): Files {
    const others = Array.from({ length: 320 }, (_, page) => [`page-${page}.md`, `# Page ${page}\n\nText.\n`] as const);
    return { ...Object.fromEntries(others), [file]: source };
}

async function exportWithThreads(files: Files, limits: Partial<ExportLimits> = {}): Promise<void> {
    await withFolder(async (folder) => {
        await writeFiles(join(folder, "site"), files);
        const [workDir, cacheDir] = [join(folder, "work"), join(folder, "cache")];
        await mkdir(workDir);
        const exporter = new ProcessExporter({
            cores: 2,
            memoryMegabytes: 1024,
            diskMegabytes: 1000,
            jobTimeoutMs: 300_000,
            pageTimeoutMs: 60_000,
            ...limits,
        });
        const request = { domain: "docs.example.com", sourceDir: join(folder, "site"), excludedDirs: [] };
        const control = { signal: new AbortController().signal, onProgress: () => undefined };
        try {
            await exporter.export({ ...request, workDir, cacheDir }, control);
        } finally {
            await exporter.close();
        }
    });
}

describe("A page that exceeds a limit in one of several threads", function () {
    this.timeout(600_000);

    for (const [thread, name] of [
        ["the main thread", ofMainThread],
        ["a worker", ofWorker],
    ] as const) {
        for (const [what, { file, source }] of Object.entries(crashingPages)) {
            it(`fails the export with the page's name: ${what}, in ${thread}`, async () => {
                await assert.rejects(
                    exportWithThreads(siteWith(file.replace("index", name), source(0))),
                    new RegExp(`^ExportError: ${name}\\.mdx?: .*(nested too deeply|ran out of memory)`),
                );
            });
        }

        it(`fails the export with the limit for the time of a page, in ${thread}`, async () => {
            const slow = "> a\n\n<Note>b</Note> `c`\n\n| d | e |\n| - | - |\n| f | g |\n\n".repeat(90_000);
            await assert.rejects(
                exportWithThreads(siteWith(`${name}.md`, slow), { pageTimeoutMs: 3000, memoryMegabytes: 4096 }),
                new RegExp(
                    `^ExportError: ${name}\\.md: the page took more than 3 s of CPU time: make the page simpler$`,
                ),
            );
        });
    }
});
