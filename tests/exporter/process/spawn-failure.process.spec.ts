import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";

const program = fileURLToPath(new URL("../support/export-without-files.ts", import.meta.url));

describe("A process that cannot be spawned because too many files are open", function () {
    this.timeout(60_000);
    let folder: string;

    before(async function () {
        if (process.platform === "win32") {
            console.log("      skipped: Windows has no limit of open files");
            this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "spawn-failure-"));
    });
    after(() => folder && rm(folder, { recursive: true }));

    for (const kind of ["export", "live"]) {
        it(`fails with the limit to raise, and again without hanging: ${kind}`, async () => {
            const command = 'ulimit -n 128 && exec "$@"';
            const node = [process.execPath, "--import=tsx", program, kind, folder];
            const failed =
                "Too many files are open: raise the limit of open files (ulimit -n), then start a new export.";
            assert.equal(await run("sh", ["-c", command, "sh", ...node]), [failed, failed].join("\n"));
        });
    }
});
