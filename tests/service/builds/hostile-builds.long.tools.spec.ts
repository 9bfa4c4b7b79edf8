import assert from "node:assert/strict";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ControlGroups } from "../../../service/src/processes/control-group.js";
import { ProgramUsers } from "../../../service/src/processes/program-user.js";
import { RunDisks } from "../../../service/src/processes/run-disk.js";
import { hostileBuilds } from "./hostile/hostile-builds.js";
import { type Built, type Given, skipWithoutSandbox, withBuild } from "./support/with-build.js";

const programs = join(import.meta.dirname, "hostile");

function build(program: string, given: Given, use: (built: Built) => Promise<void> | void): Promise<void> {
    const [file = ""] = program.split(" ");
    const prepare = (checkout: string) => copyFile(join(programs, file), join(checkout, file));
    return withBuild({ command: `python3 ${program}`, prepare, ...given }, use);
}

/** Builds a site that needs a little of everything. */
async function assertOthersBuild(): Promise<void> {
    await build("neighbour.py", {}, ({ files, error }) => {
        assert.equal(error, "");
        assert.deepEqual(files, ["index.html"]);
    });
}

async function commandLines(): Promise<string[]> {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    return Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

describe("A hostile build", function () {
    this.timeout(120_000);

    before(skipWithoutSandbox);
    before(function () {
        const faults = [ControlGroups.open(), ProgramUsers.open(), new RunDisks(tmpdir()).fault];
        const missing = faults.filter((each) => typeof each === "string");
        if (missing.length > 0) {
            console.log(`      skipped: the kernel does not enforce all limits here: ${missing.join("; ")}`);
            this.skip();
        }
    });

    for (const { kind, limits, error: reason } of hostileBuilds) {
        const end = reason === undefined ? "takes only its own user's share" : "ends itself only";
        it(`that takes all it can of ${kind.replaceAll("_", " ")} ${end}`, async () => {
            const stop = new AbortController();
            const others: Promise<void>[] = [];
            const isStopped = reason?.test("stopped") ?? true;
            const onLine = (line: string) => {
                if (line.startsWith("took") && others.length === 0) {
                    others.push(assertOthersBuild().finally(() => isStopped && stop.abort(new Error("stopped"))));
                }
            };
            await build(`hostile.py ${kind}`, { build: limits, signal: stop.signal, onLine }, ({ error, lines }) => {
                assert.match(error, reason ?? /^stopped$/, `${error}\n${lines.join("\n")}`);
            });
            await (others[0] ?? assertOthersBuild());
        });
    }

    it("that sends signals, reads other processes or leaves one behind reaches none", async () => {
        await build("hostile.py processes", {}, ({ lines }) => assert.deepEqual(lines, ["seen 0"]));
        await build("hostile.py signals", {}, ({ error }) => assert.match(error, /wrote no folder out|SIGKILL|137/));
        await build("hostile.py survivor", {}, ({ error }) => assert.match(error, /wrote no folder out/));
        assert.ok(!(await commandLines()).some((line) => line.includes("86319.5")));
        await assertOthersBuild();
    });
});
