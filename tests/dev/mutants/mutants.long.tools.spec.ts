import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const file = "service/src/exports/commit-details.ts";

/** Returns the output of the command. */
async function mutants(...args: string[]): Promise<string> {
    const start = ["dev/toolchain/start.mjs", "dev/mutants/main.ts", ...args];
    return (await promisify(execFile)(process.execPath, start)).stdout;
}

describe("The mutants of a file", () => {
    it("are noticed by the specs that import it", async () => {
        const [, noticed = 0, all = 0] = /: (\d+) of (\d+) changes noticed/.exec(await mutants(file)) ?? [];
        assert.ok(Number(all) > 20);
        assert.ok(Number(noticed) > 0.9 * Number(all), `${noticed} of ${all}`);
    });

    it("are listed with their lines if no spec executes them", async () => {
        const output = await mutants(file, "tests/service/forge/commit-url.spec.ts");
        assert.match(output, /^service\/src\/exports\/commit-details\.ts: 0 of \d+ changes noticed \(0 %\)$/m);
        assert.match(output, /^ {2}not executed: line \d+: message\.trim\(\) {2}→ {2}message$/m);
    });

    it("are also tried in a CommonJS package, and in files that the specs do not import themselves", async () => {
        const deep = "provider/src/engine/defined-only.ts";
        assert.match(
            await mutants(deep, "tests/provider/static-export-bundle/check.spec.ts"),
            /^provider\/src\/engine\/defined-only\.ts: ([1-9]\d*) of \1 changes noticed/m,
        );
    });

    it("are not tried if the specs fail without them", async () => {
        const failing = mutants(file, "tests/service/exports/no-such-file.spec.ts");
        await assert.rejects(failing, /The specs fail without any change/);
    });
});
