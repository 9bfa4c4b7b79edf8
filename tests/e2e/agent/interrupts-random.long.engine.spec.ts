import assert from "node:assert/strict";
import fc from "fast-check";
import { withFolder } from "../../sdk/support/files.js";
import { assertHolds } from "../../provider/support/replayable.js";
import { InterruptedStack } from "../support/interrupted-stack.js";
import { adminApiKey } from "../support/platform.js";
import { anyInterruption, extraRights, interruptRuns, isLostDelivery } from "../support/random-interruptions.js";
import { scaled } from "../../scale.js";
import { markdownAgent, Remote } from "./agent-service.js";

const runs = scaled({ short: 2, long: 2 });
const command = "npx mocha --no-config --import=tsx tests/e2e/agent/interrupts-random.long.engine.spec.ts";

const prompting = (text: string) => `import { AgentJob } from "pulumi-static-export";
const job = new AgentJob("docs", { projectId: "docs", prompt: "append to a.md: ${text}" });
export const { jobId, sourceRef } = job;
`;

const anyCase = fc.record({
    agentSeconds: fc.constantFrom(0, 1, 3),
    ofCreate: fc.array(anyInterruption, { minLength: 1, maxLength: 1 }),
    ofUpdate: fc.array(anyInterruption, { minLength: 1, maxLength: 1 }),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

describe("a randomly interrupted pulumi up with an AgentJob, on the real engine and a real git repository,", () => {
    it(`needs only another pulumi up, without a second job or message, in ${runs} cases`, async function () {
        this.timeout(runs * 120_000);
        const property = fc.asyncProperty(anyCase, survive);
        await assertHolds(property, { name: "AGENT_INTERRUPT", runs, shrink: false, command });
    });
});

async function survive({ agentSeconds, ofCreate, ofUpdate }: Case): Promise<void> {
    await withFolder(async (folder) => {
        const remote = await Remote.create(folder);
        const [node = "", script = ""] = markdownAgent;
        const fixture = await InterruptedStack.create(undefined, {
            program: prompting("One."),
            projects: { docs: { repository: remote.url, ref: "main" } },
            agent: { command: ["/bin/sh", "-c", `sleep ${agentSeconds}; exec "$0" "$1"`, node, script] },
        });
        try {
            const get = "agent-get";
            const created = await interruptRuns(fixture, ofCreate, { start: "agent-start", get, end: get });
            const createdAtLast = await succeed(fixture);
            await fixture.stack.writeProgram(prompting("Two."));
            const updated = await interruptRuns(fixture, ofUpdate, { start: "agent-message", get, end: get });
            const updatedAtLast = await succeed(fixture);

            const outputs = [...created.outputs, createdAtLast, ...updated.outputs, updatedAtLast];
            const requests = fixture.count("agent-start") + fixture.count("agent-message");
            assert.ok(requests <= 2 + extraRights(outputs), `${requests} requests:\n${outputs.join("\n")}`);
            if (!outputs.some(isLostDelivery)) {
                const branches = await remote.branches();
                assert.equal(branches.length, 1, outputs.join("\n"));
                assert.equal(await remote.commitsOn(branches[0]!), 2, outputs.join("\n"));
                assert.equal(await remote.fileOn(branches[0]!, "a.md"), "One.\n\nTwo.");
            }
            const written = (await fixture.stack.writtenText()) + outputs.join("\n");
            assert.ok(!written.includes(adminApiKey), "a secret was written or shown");
        } finally {
            await fixture.dispose();
        }
    });
}

/** @returns the output of the run, which may report that it retries a request */
async function succeed(fixture: InterruptedStack): Promise<string> {
    const { exitCode, output } = await fixture.upAgain();
    assert.equal(exitCode, 0, output);
    await fixture.stack.succeed("preview", "--expect-no-changes");
    return output;
}
