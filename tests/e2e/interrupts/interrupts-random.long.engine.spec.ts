import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { pacedExporter } from "../support/paced-exporter.js";
import { assertHolds } from "../../provider/support/replayable.js";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { yamlProgram } from "../plugin/support/yaml-program.js";
import { InterruptedStack, type Interruption } from "../support/interrupted-stack.js";
import { adminApiKey, domain } from "../support/platform.js";
import { scaled } from "../../scale.js";

const runs = scaled({ short: 5, long: 4 });
const command = "npx mocha --no-config --import=tsx tests/e2e/interrupts/interrupts-random.long.engine.spec.ts";

const anyInterruption = fc.record({
    how: fc.constantFrom<Interruption[]>(
        "second Ctrl-C",
        "second SIGTERM",
        "SIGKILL of the engine",
        "SIGKILL of the provider",
        "SIGKILL of the engine and the provider",
    ),
    /** The request before the delay; a run that ends earlier is not interrupted. */
    after: fc.constantFrom("launch", "start", "start", "get", "get", "get", "bundle"),
    ms: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2500 })),
});

const anyCase = fc.record({
    way: fc.constantFrom("dynamic", "plugin"),
    jobMs: fc.constantFrom(0, 300, 1500, 4000, 4000),
    interruptions: fc.array(anyInterruption, { minLength: 1, maxLength: 2 }),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

/** Whether a case interrupted a run with a job, only runs without a job, or no run. */
type Effect = "with a job" | "without a job" | "none";

describe("a randomly interrupted pulumi up on the real engine", () => {
    let plugin: PluginFolder;
    before(async () => (plugin = await PluginFolder.create()));
    after(() => plugin.remove());

    it(`needs only another pulumi up, without a second job, in ${runs} cases`, async function () {
        this.timeout(runs * 120_000);
        const counts: Record<Effect, number> = { "with a job": 0, "without a job": 0, none: 0 };
        const property = fc.asyncProperty(anyCase, async (anyOne) => {
            const effect = await survive(anyOne, plugin);
            counts[effect]++;
            // A case without an interruption does not count as a pass: another case replaces it.
            fc.pre(effect !== "none");
        });
        await assertHolds(property, { name: "INTERRUPT", runs, shrink: false, command });
        const { "with a job": withJob, "without a job": withoutJob, none } = counts;
        console.log(
            `      Interrupted with a job at stake: ${withJob} cases; only before there was one: ${withoutJob}; ` +
                `over before it was interrupted, and replaced: ${none}.`,
        );
        assert.ok(withJob >= Math.floor((withJob + withoutJob) / 4), "too few interruptions had a job at stake");
    });
});

async function survive({ way, jobMs, interruptions }: Case, { pathFolders }: PluginFolder): Promise<Effect> {
    const ofPlugin = { program: yamlProgram({ domain }), pathFolders };
    const fixture = await InterruptedStack.create(pacedExporter(jobMs), way === "plugin" ? ofPlugin : {});
    try {
        const { effect, outputs } = await interruptRuns(fixture, interruptions);
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        outputs.push(output);
        await fixture.stack.succeed("preview", "--expect-no-changes");
        const rights = 1 + outputs.filter(mayHaveStarted).length;
        assert.ok(fixture.count("start") <= rights, `${fixture.count("start")} starts:\n${outputs.join("\n")}`);
        const written = (await fixture.stack.writtenText()) + outputs.join("\n");
        assert.ok(!written.includes(adminApiKey) && !written.includes("signature="), "a secret was written or shown");
        return effect;
    } finally {
        await fixture.dispose();
    }
}

/** Launches a run for each interruption, and interrupts it. */
async function interruptRuns(
    fixture: InterruptedStack,
    interruptions: Case["interruptions"],
): Promise<{ effect: Effect; outputs: string[] }> {
    let effect: Effect = "none";
    const outputs: string[] = [];
    for (const { how, after, ms } of interruptions) {
        const run = fixture.startUp();
        // A run that adopts the previous run's job starts no job.
        const operation = after === "start" && fixture.count("start") > 0 ? "get" : after;
        const reached =
            operation === "launch" ? Promise.resolve() : fixture.answered(operation, fixture.count(operation) + 1);
        const isOver = await Promise.race([reached.then(() => delay(ms, false)), run.result.then(() => true)]);
        const hasJob = fixture.count("start") > 0;
        const { exitCode, output } = isOver ? await run.result : await fixture.interrupt(run, how);
        outputs.push(output);
        if (exitCode !== 0 && effect !== "with a job") {
            effect = hasJob ? "with a job" : "without a job";
        }
        await fixture.unlock();
    }
    return { effect, outputs };
}

/**
 * Whether another start is right after this output: the outcome of a start is unknown, or Pulumi received the bundle as
 * the second Ctrl-C arrived, and it is unknown whether Pulumi saved it.
 */
function mayHaveStarted(output: string): boolean {
    return (
        /got no response to its request/.test(output) ||
        (/: bundle ready,/.test(output) && /\(interrupted\)/.test(output))
    );
}
