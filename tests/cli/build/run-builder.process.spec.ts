import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runBuilder } from "../../../cli/src/build/run-builder.js";
import { withFolder } from "../../exporter/support/site-fixture.js";
import { waitUntil } from "../../wait-until.js";

/** Whether a process runs; a zombie has ended. */
const isRunning = async (pid: string) =>
    !/\) [ZX] /.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") X "));

describe("A builder in the writer's terminal", () => {
    it("is killed, with the processes that it started, if it ignores the request to end", async () => {
        await withFolder(async (folder) => {
            const stop = new AbortController();
            const command = "trap '' TERM; (trap '' TERM; sleep 60) & echo $! > started; sleep 60; sleep 60";
            const settings = { command, outputFolder: "out", baseFolder: "." };
            const running = runBuilder(folder, settings, stop.signal, { graceMs: 100 });
            const started = join(folder, "started");
            const pid = await waitUntil(
                "the process id",
                () => existsSync(started) && readFileSync(started, "utf8").trim(),
            );
            stop.abort(new Error("Ctrl-C"));
            await assert.rejects(running, /Ctrl-C/);
            await waitUntil("the end", async () => !(await isRunning(pid)));
        });
    });

    it("is said to have written nothing if its output is the one of an earlier build", async () => {
        await withFolder(async (folder) => {
            const lines: string[] = [];
            const { error } = console;
            console.error = (line: string) => lines.push(line);
            try {
                const build = (command: string, hoursLater: number) => {
                    const clock = () => Date.now() + hoursLater * 3_600_000;
                    const settings = { command, outputFolder: "out", baseFolder: "." };
                    return runBuilder(folder, settings, new AbortController().signal, { clock });
                };
                await build("mkdir -p out/guide; echo a > out/guide/index.html", 0);
                assert.deepEqual(lines, []);
                await build("true", 1);
                assert.match(lines.join(), /^warning: true wrote nothing to out: the site comes from an earlier build/);
            } finally {
                console.error = error;
            }
        });
    });
});
