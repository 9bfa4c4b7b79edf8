import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { withExport } from "../../support/site-fixture.js";

const maxBytes = 15 * 1024;

describe("the assistant panel in an export", () => {
    it("loads at most 15 KB of script and styles, including the words of all languages", async () => {
        await withExport({ "index.md": "# Hello\n" }, async ({ outDir }) => {
            const folder = join(outDir, "static-export");
            const files = (await readdir(folder)).filter((file) => file.startsWith("assistant."));
            assert.deepEqual(files.map((file) => file.replace(/\..*\./, ".")).sort(), [
                "assistant.css",
                "assistant.js",
            ]);
            const sizes = await Promise.all(
                files.map(async (file) => gzipSync(await readFile(join(folder, file))).length),
            );
            const bytes = sizes.reduce((sum, size) => sum + size);
            assert.ok(bytes <= maxBytes, `${bytes} bytes, compressed`);
        });
    });

    it("is loaded only by the script that opens it, not by pages", async () => {
        await withExport({ "index.md": "# Hello\n" }, async ({ outDir, read }) => {
            assert.doesNotMatch(await read("index.html"), /assistant/i);
            const files = await readdir(join(outDir, "static-export"));
            const panel = files.find((file) => /^assistant\..*\.js$/.test(file)) ?? "no panel";
            const opener = files.find((file) => /^site\..*\.js$/.test(file)) ?? "no script";
            assert.ok((await read(`static-export/${opener}`)).includes(`static-export/${panel}`));
        });
    });

    it("is not part of an air-gapped export", async () => {
        await withExport(
            { "index.md": "# Hello\n" },
            async ({ outDir }) => {
                const files = await readdir(join(outDir, "static-export"));
                assert.deepEqual(
                    files.filter((file) => file.startsWith("assistant")),
                    [],
                );
            },
            { deployment: "air-gapped" },
        );
    });
});
