import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("npm run plugin", () => {
    for (const [what, ...options] of [
        ["a platform without --archives", "--platform", "linux-amd64"],
        ["an unknown platform", "--archives", "--platform", "linux-sparc"],
    ] as const) {
        it(`writes nothing and prints its usage for ${what}`, () => {
            const folder = mkdtempSync(join(tmpdir(), "static-export-plugin-"));
            try {
                const args = ["--import=tsx", "plugin/write-plugin.mjs", folder, ...options];
                const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
                assert.match(stderr, /^Usage: npm run plugin -- FOLDER \[--archives \[--platform PLATFORM\]…\]$/m);
                assert.deepEqual([status, readdirSync(folder)], [2, []]);
            } finally {
                rmSync(folder, { recursive: true });
            }
        });
    }
});
