import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const start = fileURLToPath(new URL("../../plugin/dist/start.js", import.meta.url));

describe("the start of the plugin", () => {
    let folder: string;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "static-export-start-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    for (const [version, shown] of [
        [
            "20.20.0",
            /^The plugin static-export needs Node\.js \^22\.13 \|\| >=24, but \S+ is 20\.20\.0\. Install a newer version/,
        ],
        // Compilation alone creates no plugin.cjs next to the program.
        ["22.13.0", /Cannot find module .*plugin\.cjs/],
    ] as const) {
        it(`requires a supported Node.js: ${version}`, () => {
            const node = join(folder, "node-version.cjs");
            writeFileSync(node, `Object.defineProperty(process.versions, "node", { value: "${version}" });`);
            const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", node, start], {
                encoding: "utf8",
            });
            assert.match(stderr, shown);
            assert.deepEqual([status, stdout], [1, ""]);
        });
    }
});
