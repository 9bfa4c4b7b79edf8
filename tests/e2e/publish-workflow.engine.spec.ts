import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { ScriptedExporter } from "../service/support/scripted-exporter.js";
import { InterruptedStack } from "./support/interrupted-stack.js";
import type { RunningCommand } from "./support/run-command.js";

const workflow = new URL("../../examples/publish/github/publish.yml", import.meta.url);

interface Step {
    name?: string;
    if?: string;
    run?: string;
}

/** Returns the workflow's `pulumi` commands that run in an attempt. */
async function commandsOf(attempt: number): Promise<string[]> {
    const { jobs } = parse(await readFile(workflow, "utf8")) as { jobs: { publish: { steps: Step[] } } };
    return jobs.publish.steps
        .filter(({ if: condition }) => condition === undefined || attempt > 1)
        .flatMap(({ run }) => (run?.startsWith("pulumi ") ? [run] : []));
}

describe("the workflow of examples/publish, run again after losing its machine,", () => {
    it("finds the first attempt's export on the real engine, and starts no second job", async () => {
        const exporter = new ScriptedExporter();
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "1658821493", STACK: "dev" };
        const fixture = await InterruptedStack.create(exporter, { env });
        const start = (command: string, attempt: number): RunningCommand =>
            fixture.stack.startOther("bash", ["-c", command], { GITHUB_RUN_ATTEMPT: String(attempt) });
        try {
            const [publish = "", ...others] = await commandsOf(1);
            assert.deepEqual(others, []);
            const first = start(publish, 1);
            await fixture.answered("get");
            await fixture.interrupt(first, "SIGKILL of the engine");
            for (const lost of ["home", "journal"]) {
                await rm(join(fixture.stack.folder, lost), { recursive: true, force: true });
            }
            await (await exporter.nth(1)).complete();
            let output = "";
            for (const command of await commandsOf(2)) {
                const result = await start(command, 2).result;
                assert.equal(result.exitCode, 0, result.output);
                output += result.output;
            }
            assert.match(output, /adopted: the platform found it by the Idempotency-Key of this start/);
            assert.equal(exporter.begun.length, 1);
        } finally {
            await fixture.dispose();
        }
    });
});
