import assert from "node:assert/strict";
import fc from "fast-check";
import { pacedExporter } from "../support/paced-exporter.js";
import { assertHolds } from "../../provider/support/replayable.js";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { yamlProgram } from "../plugin/support/yaml-program.js";
import { InterruptedStack } from "../support/interrupted-stack.js";
import { adminApiKey, domain } from "../support/platform.js";
import {
    anyInterruption,
    type Effect,
    interruptRuns,
    type Operations,
    extraRights,
} from "../support/random-interruptions.js";
import { scaled } from "../../scale.js";

const runs = scaled({ short: 5, long: 4 });
const command = "npx mocha --no-config --import=tsx tests/e2e/interrupts/interrupts-random.long.engine.spec.ts";

const operations: Operations = { start: "start", get: "get", end: "bundle" };

const anyCase = fc.record({
    way: fc.constantFrom("dynamic", "plugin"),
    jobMs: fc.constantFrom(0, 300, 1500, 4000, 4000),
    interruptions: fc.array(anyInterruption, { minLength: 1, maxLength: 2 }),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

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
        const { effect, outputs } = await interruptRuns(fixture, interruptions, operations);
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        outputs.push(output);
        await fixture.stack.succeed("preview", "--expect-no-changes");
        const rights = 1 + extraRights(outputs);
        assert.ok(fixture.count("start") <= rights, `${fixture.count("start")} starts:\n${outputs.join("\n")}`);
        const written = (await fixture.stack.writtenText()) + outputs.join("\n");
        assert.ok(!written.includes(adminApiKey) && !written.includes("signature="), "a secret was written or shown");
        return effect;
    } finally {
        await fixture.dispose();
    }
}
