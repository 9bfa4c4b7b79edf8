import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ProcessExporter, type ExportLimits } from "@pulumi-static-export/exporter";
import { crashingPages } from "../support/hostile-pages.js";
import { type Files, withFolder, writeFiles } from "../support/site-fixture.js";

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

    for (const [what, { file, source }] of Object.entries(crashingPages)) {
        it(`fails the export with the page's name: ${what}`, async () => {
            const guide = file.replace("index", "guide");
            await assert.rejects(
                exportWithThreads(siteWith(guide, source(0))),
                /^ExportError: guide\.mdx?: .*(nested too deeply|ran out of memory)/,
            );
        });
    }

    it("fails the export with the limit for the time of a page", async () => {
        const slow = "> a\n\n<Note>b</Note> `c`\n\n| d | e |\n| - | - |\n| f | g |\n\n".repeat(90_000);
        await assert.rejects(
            exportWithThreads(siteWith("slow.md", slow), { pageTimeoutMs: 3000, memoryMegabytes: 4096 }),
            /^ExportError: slow\.md: the page took more than 3 s of CPU time: make the page simpler$/,
        );
    });
});
