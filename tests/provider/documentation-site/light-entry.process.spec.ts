import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Imports an entry point in a separate process, and returns the modules that it loads. */
async function loadedBy(entry: string): Promise<string[]> {
    const script = `require(${JSON.stringify(entry)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: import.meta.dirname });
    return JSON.parse(stdout) as string[];
}

describe("the package's entry points", function () {
    this.timeout(120_000);

    for (const entry of ["pulumi-static-export", "pulumi-static-export/lifecycle"]) {
        it(`load neither the Kubernetes nor the AWS SDK: ${entry}`, async () => {
            const loaded = await loadedBy(entry);
            assert.ok(loaded.some((file) => file.includes("dist")));
            assert.deepEqual(
                loaded.filter((file) => /@pulumi.kubernetes|@aws-sdk|@smithy/.test(file)),
                [],
            );
        });
    }
});
