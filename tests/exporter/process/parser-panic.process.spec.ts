import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LiveSiteProcess, ProcessExporter } from "@pulumi-static-export/exporter";

/** A page that ends the native parser's process: the fence is in an expression, so the list is not code. */
const panics = "---\ntitle: Ports\n---\n\n{String(`\n~~~\n`)}\n\n<Note>\nRun it.\n\n- open port 8080\n  </Note>\n";

describe("A page that ends the process of the native parser", function () {
    this.timeout(60_000);
    let folder: string;
    let exporter: ProcessExporter | undefined;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "parser-panic-"));
        await mkdir(join(folder, "site"));
        await writeFile(join(folder, "site", "a.mdx"), "# First\n\n<Note>text</Note>\n");
        await writeFile(join(folder, "site", "ports.mdx"), panics);
        await writeFile(join(folder, "site", "z.mdx"), "# Last\n");
    });
    afterEach(async () => {
        await exporter?.close();
        await rm(folder, { recursive: true, force: true });
    });

    async function exported(cores: number): Promise<{ texts: string[]; pageCount: number; warnings: unknown }> {
        exporter = new ProcessExporter({
            cores,
            memoryMegabytes: 256,
            diskMegabytes: 100,
            jobTimeoutMs: 60_000,
            pageTimeoutMs: 60_000,
        });
        const [workDir, cacheDir, outDir] = ["work", "cache", "out"].map((name) => join(folder, name)) as [
            string,
            string,
            string,
        ];
        await mkdir(workDir);
        await mkdir(cacheDir);
        const sourceDir = join(folder, "site");
        const { pageCount, warnings } = await exporter.export(
            { domain: "docs.example.com", sourceDir, excludedDirs: [], workDir, cacheDir, outDir },
            { signal: new AbortController().signal, onProgress: () => undefined },
        );
        const texts = await Promise.all(
            ["a", "ports", "z"].map((name) => readFile(join(outDir, `${name}.html`), "utf8")),
        );
        return { texts, pageCount, warnings };
    }

    for (const cores of [1, 2]) {
        it(`is read as Markdown, and every other page is exported, with ${cores} threads`, async () => {
            const { texts, pageCount, warnings } = await exported(cores);
            assert.equal(pageCount, 3);
            assert.match(texts[0] ?? "", /First/);
            assert.match(texts[1] ?? "", /open port 8080/);
            assert.match(texts[2] ?? "", /Last/);
            const text = JSON.stringify(warnings);
            assert.match(text, /ports\.mdx/);
            assert.match(
                text,
                /a fault in the MDX parser ends its process at this page, so the page is read as Markdown/,
            );
            assert.doesNotMatch(text, /"(?:a|z)\.mdx/);
        });
    }

    it("is shown to its author without an error", async () => {
        const site = new LiveSiteProcess(join(folder, "site"), join(folder, "live"), {
            memoryMegabytes: 256,
            pageTimeoutMs: 60_000,
        });
        try {
            const file = await site.call("file", "ports");
            assert.match(JSON.stringify(file), /open port 8080/);
        } finally {
            await site.close();
        }
    });
});
