import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { skipWithoutSandbox, withBuild } from "./support/with-build.js";

describe("The limits of a build that the kernel does not enforce", function () {
    this.timeout(60_000);
    let dataDir = "";

    before(skipWithoutSandbox);
    // A folder in memory gets no file systems for builds.
    beforeEach(async () => {
        dataDir = await mkdtemp(join("/dev/shm", "static-export-spec-"));
    });
    afterEach(() => rm(dataDir, { recursive: true }));

    const command = "mkdir out; echo built > out/index.html";

    it("are named in its log", async () => {
        await withBuild({ command, dataDir }, ({ files, lines }) => {
            assert.deepEqual(files, ["index.html"]);
            assert.match(
                lines.join("\n"),
                /^Limit of this build: disk and files: checked every second \(no file system/m,
            );
        });
    });

    it("are checked every second", async () => {
        const fill = "mkdir out; while :; do head -c 4M /dev/zero > out/$(date +%N); done";
        await withBuild({ command: fill, dataDir, build: { diskMegabytes: 32 } }, ({ error }) => {
            assert.match(error, /^The build used more than 32 MB of disk/);
        });
    });

    it("let it fail if the operator needs the kernel's limits", async () => {
        await withBuild({ command, dataDir, options: { needsKernel: true } }, ({ files, error }) => {
            assert.equal(files, undefined);
            assert.match(
                error,
                /^The service builds only where the kernel enforces all limits\. Limit of this build: /,
            );
        });
    });
});
