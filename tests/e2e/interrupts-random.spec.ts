import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { pacedExporter } from "../../bench/scale/paced-exporter.js";
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
    after: fc.constantFrom("launch", "start", "get", "bundle"),
    ms: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2500 })),
});

const anyCase = fc.record({
    jobMs: fc.constantFrom(0, 300, 1500, 4000),
    interruptions: fc.array(anyInterruption, { minLength: 1, maxLength: 2 }),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

describe("pulumi up, interrupted at random points, on the real engine", () => {
    it(`needs only another pulumi up, and no second job, in ${runs} cases`, async function () {
        this.timeout(runs * 120_000);
        await assertHolds(fc.asyncProperty(anyCase, survive), { name: "INTERRUPT", runs, shrink: false, command });
    });
});

async function survive({ jobMs, interruptions }: Case): Promise<void> {
    const fixture = await InterruptedStack.create(pacedExporter(jobMs));
    try {
        const outputs: string[] = [];
        for (const { how, after, ms } of interruptions) {
            const run = fixture.startUp();
            const reached = after === "launch" ? Promise.resolve() : fixture.answered(after, fixture.count(after) + 1);
            const isOver = await Promise.race([reached.then(() => delay(ms, false)), run.result.then(() => true)]);
            const { output } = isOver ? await run.result : await fixture.interrupt(run, how);
            outputs.push(output);
            await fixture.unlock();
        }
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        outputs.push(output);
        await fixture.stack.succeed("preview", "--expect-no-changes");
        const warnings = outputs.filter((text) => text.includes("never learned whether")).length;
        assert.ok(fixture.count("start") <= 1 + warnings, `${fixture.count("start")} starts:\n${outputs.join("\n")}`);
        const written = (await fixture.stack.writtenText()) + outputs.join("\n");
        assert.ok(!written.includes(adminApiKey) && !written.includes("signature="), "a secret was written or shown");
    } finally {
        await fixture.dispose();
    }
}
