import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { pacedExporter } from "../../dev/bench/scale/paced-exporter.js";
import { assertHolds, runsOf } from "../provider/support/replayable.js";
import { InterruptedStack, type Interruption } from "./support/interrupted-stack.js";
import { adminApiKey } from "./support/platform.js";

const runs = runsOf("INTERRUPT", 5);
const command = "npx mocha --no-config --import=tsx tests/e2e/interrupts-random.spec.ts";

const anyInterruption = fc.record({
    how: fc.constantFrom<Interruption[]>(
        "second Ctrl-C",
        "second SIGTERM",
        "SIGKILL of the engine",
        "SIGKILL of the provider",
    ),
    /** So long after this; a run that is over by then is not interrupted. */
    after: fc.constantFrom("launch", "start", "start", "get", "get", "get", "bundle"),
    ms: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2500 })),
});

const anyCase = fc.record({
    jobMs: fc.constantFrom(0, 300, 1500, 4000, 4000),
    interruptions: fc.array(anyInterruption, { minLength: 1, maxLength: 2 }),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

describe("pulumi up, interrupted at random points, on the real engine", () => {
    it(`needs only another pulumi up, and no second job, in ${runs} cases`, async function () {
        this.timeout(runs * 120_000);
        const counts: Record<Effect, number> = { "with a job": 0, "without a job": 0, none: 0 };
        const property = fc.asyncProperty(anyCase, async (anyOne) => {
            const effect = await survive(anyOne);
            counts[effect]++;
            // No pass: another case takes its place.
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

/**
 * What was interrupted at most in a case: a run when there was a job, or one when there was none yet; or nothing was.
 */
type Effect = "with a job" | "without a job" | "none";

async function survive({ jobMs, interruptions }: Case): Promise<Effect> {
    let effect: Effect = "none";
    const fixture = await InterruptedStack.create(pacedExporter(jobMs));
    try {
        const outputs: string[] = [];
        for (const { how, after, ms } of interruptions) {
            const run = fixture.startUp();
            // A run that adopts the job of the one before starts none.
            const event = after === "start" && fixture.count("start") > 0 ? "get" : after;
            const reached = event === "launch" ? Promise.resolve() : fixture.answered(event, fixture.count(event) + 1);
            const isOver = await Promise.race([reached.then(() => delay(ms, false)), run.result.then(() => true)]);
            const hasJob = fixture.count("start") > 0;
            const { exitCode, output } = isOver ? await run.result : await fixture.interrupt(run, how);
            outputs.push(output);
            if (exitCode !== 0 && effect !== "with a job") {
                effect = hasJob ? "with a job" : "without a job";
            }
            await fixture.unlock();
        }
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        outputs.push(output);
        await fixture.stack.succeed("preview", "--expect-no-changes");
        const warnings = outputs.filter((text) => /got no response to its request/.test(text)).length;
        assert.ok(fixture.count("start") <= 1 + warnings, `${fixture.count("start")} starts:\n${outputs.join("\n")}`);
        const written = (await fixture.stack.writtenText()) + outputs.join("\n");
        assert.ok(!written.includes(adminApiKey) && !written.includes("signature="), "a secret was written or shown");
        return effect;
    } finally {
        await fixture.dispose();
    }
}
