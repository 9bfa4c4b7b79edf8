import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const specs = `
describe("a gate", () => {
    it("opens", () => undefined);
    it("closes", () => {
        throw new Error("it is stuck");
    });
    it.skip("rings");
});
`;

describe("npm test with temporary specs", () => {
    let folder: string;

    const run = (...args: string[]) =>
        new Promise<{ exitCode: number | null; output: string }>((resolve) => {
            const command = ["--import=tsx", "dev/test-run/main.ts", "test", ...args];
            const child = execFile(process.execPath, command, (_error, stdout, stderr) =>
                resolve({ exitCode: child.exitCode, output: stdout + stderr }),
            );
        });

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-run-"));
        await writeFile(join(folder, "gate.spec.ts"), specs);
        await writeFile(join(folder, "crash.spec.ts"), "process.kill(process.pid, 'SIGKILL');");
    });
    after(() => rm(folder, { recursive: true }));

    it("prints each failure with its error at the end, and then the counts and each failure in a line", async () => {
        const { exitCode, output } = await run(join(folder, "gate.spec.ts"));
        assert.equal(exitCode, 1);
        assert.match(
            output,
            /^✗ .*gate\.spec\.ts: 1 failing, 1 passing, 1 pending \(\d+ ms\)\n {4}failing: a gate closes$/m,
        );
        assert.match(output, /^ {2}1\) .*gate\.spec\.ts\n {5}a gate closes\n {7}Error: it is stuck\n/m);
        assert.match(
            output,
            /\n {2}1 passing \(.*\)\n {2}1 pending\n {2}1 failing\n {4}.*gate\.spec\.ts: a gate closes: .*\n+$/,
        );
    });

    it("runs the specs in a folder, and no others", async () => {
        const inside = join(folder, "rooms", "upstairs");
        await mkdir(inside, { recursive: true });
        await writeFile(join(inside, "hall.spec.ts"), 'describe("a room", () => it("is empty", () => undefined));');
        const { exitCode, output } = await run(join(folder, "rooms"));
        assert.equal(exitCode, 0, output);
        assert.match(output, /hall\.spec\.ts: 1 passing/);
        assert.match(output, /\n {2}1 passing \([^)]*\)\n+$/);
    });

    it("fails if no spec matches the title", async () => {
        const { exitCode, output } = await run(join(folder, "gate.spec.ts"), "--grep", "burns");
        assert.deepEqual({ exitCode, output }, { exitCode: 1, output: "No spec matches.\n" });
    });

    it("skips files that would not finish in time, and lists them", async () => {
        const { exitCode, output } = await run("--minutes=0", join(folder, "gate.spec.ts"));
        assert.equal(exitCode, 0, output);
        assert.match(
            output,
            /Left out, because they would not end within 0 minutes:\n.*gate\.spec\.ts: no recorded run\n/,
        );
        assert.match(output, /\n {2}0 passing/);
    });

    it("counts specs that terminate their process as a failure", async () => {
        const { exitCode, output } = await run(join(folder, "crash.spec.ts"));
        assert.equal(exitCode, 1);
        assert.match(output, /the specs of the group "unit"\n {7}Mocha ended with SIGKILL/);
        assert.match(output, /\n {2}0 passing \(.*\)\n {2}1 failing\n {4}.*SIGKILL.*\n+$/);
    });
});
