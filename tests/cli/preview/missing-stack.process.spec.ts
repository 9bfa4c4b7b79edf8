import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Outcome, run, withFolder } from "../support/command.js";

/** Runs the preview of a stack with a replacement for Pulumi that fails. */
async function withFailure(error: string, check: (outcome: Outcome) => void): Promise<void> {
    await withFolder(async (folder) => {
        await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: nodejs\n");
        await writeFile(join(folder, "pulumi"), `#!/bin/sh\necho "error: ${error}" >&2\nexit 255\n`);
        await chmod(join(folder, "pulumi"), 0o755);
        check(await run(folder, ["preview", "--stack", "nope"], { PATH: `${folder}:/usr/bin:/bin` }));
    });
}

describe("The preview of a stack", function () {
    this.timeout(60_000);

    it("explains how to find or create a stack that does not exist", () =>
        withFailure("no stack named 'nope' found", ({ exitCode, stderr }) => {
            assert.equal(exitCode, 1);
            assert.match(stderr, /^Correct --stack: pulumi stack ls lists .* run pulumi stack init nope first\.$/m);
        }));

    it("gives no advice about stacks if the program fails", () =>
        withFailure("boom", ({ exitCode, stderr }) => {
            assert.deepEqual([exitCode, /pulumi stack/.test(stderr)], [1, false]);
        }));
});
