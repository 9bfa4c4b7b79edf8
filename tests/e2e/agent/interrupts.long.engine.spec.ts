import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedAgents } from "../../service/support/scripted-agents.js";
import { InterruptedStack, type Interruption } from "../support/interrupted-stack.js";

const prompting = (prompt: string) => `import { AgentJob } from "pulumi-static-export";
const job = new AgentJob("docs", { projectId: "docs", prompt: "${prompt}" });
export const { jobId, prLink } = job;
`;

describe("an interrupted pulumi up with an AgentJob, on the real engine,", function () {
    this.timeout(600_000);
    let folder: string;
    let agents: ScriptedAgents;
    let fixture: InterruptedStack;
    const start = async (text: string) => {
        folder = await mkdtemp(join(tmpdir(), "interrupted-agents-"));
        agents = await ScriptedAgents.create(folder);
        const projects = { docs: { repository: agents.repository, ref: "main" } };
        fixture = await InterruptedStack.create(undefined, { program: text, projects, agent: agents.options });
    };
    afterEach(async () => {
        await fixture.dispose();
        await rm(folder, { recursive: true });
    });

    /** Ends the job that was polled last. */
    const complete = async () => {
        const [, id] = /job\/(aj_\w+)/.exec(fixture.lastPath("agent-get") ?? "") ?? [];
        assert.ok(id, "no job was polled");
        await agents.end(id, "changed");
    };
    const assertNextUpFinishes = async () => {
        const { exitCode, output } = await fixture.upAgain();
        assert.equal(exitCode, 0, output);
        await fixture.stack.succeed("preview", "--expect-no-changes");
        return output;
    };

    for (const interruption of [
        "second Ctrl-C",
        "SIGKILL of the engine",
        "SIGKILL of the provider",
    ] as Interruption[]) {
        it(`waits for the same job after a ${interruption} during the wait`, async () => {
            await start(prompting("One."));
            const run = fixture.startUp();
            await fixture.answered("agent-get");
            await fixture.interrupt(run, interruption);
            await complete();
            assert.match(await assertNextUpFinishes(), /adopted: another run started it for the same inputs/);
            assert.equal(fixture.count("agent-start"), 1);
        });
    }

    it("does not resend a message if the provider is killed while it waits for the message's result", async () => {
        await start(prompting("One."));
        const first = fixture.startUp();
        await fixture.answered("agent-get");
        await complete();
        await first.result;
        await fixture.stack.writeProgram(prompting("Two."));
        const before = fixture.count("agent-get");
        const second = fixture.startUp();
        await fixture.answered("agent-message");
        await fixture.answered("agent-get", before + 2);
        await fixture.interrupt(second, "SIGKILL of the provider");
        await complete();
        await assertNextUpFinishes();
        assert.deepEqual([fixture.count("agent-start"), fixture.count("agent-message")], [1, 1]);
    });
});
