import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { type RunningService, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { type AgentEnd, ScriptedAgents } from "../support/scripted-agents.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const repository = "https://github.com/acme/docs";
const now = Date.parse("2026-11-01T10:00:00Z");
const options = {
    exporter: copyingExporter,
    projects: { docs: { repository, ref: "main" }, blog: { repository } },
    clock: () => now,
};
const path = "/v2/agent/docs/job";

async function createJob({ request }: RunningService, project = "docs"): Promise<string> {
    const { status, body, text } = await request("POST", `/v2/agent/${project}/job`, {
        json: { prompt: "Fix typos." },
    });
    assert.equal(status, 201, text);
    return String(body["id"]);
}

interface WithAgents {
    running: RunningService;
    agents: ScriptedAgents;
    /** Ends a job's agent, and waits until the service has stored the outcome. */
    end: (id: string, end: AgentEnd) => Promise<void>;
}

async function withAgents(use: (given: WithAgents) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const agents = await ScriptedAgents.create(folder);
        const projects = { docs: { repository: agents.repository } };
        await withServiceOver(folder, { ...options, projects, agent: agents.options }, (running) =>
            use({ running, agents, end: (id, end) => endJob(running, agents, id, end) }),
        );
    });
}

async function endJob(running: RunningService, agents: ScriptedAgents, id: string, end: AgentEnd): Promise<void> {
    await agents.end(id, end);
    await waitUntil(`job ${id} has ended`, async () => {
        const { body } = await running.request("GET", `${path}/${id}`);
        return body["status"] !== "active";
    });
}

describe("The agent job API", () => {
    it("creates an active job with every field of the contract", async () => {
        await withService(options, async (running) => {
            const { status, body } = await running.request("POST", path, { json: { prompt: "Fix typos." } });
            assert.equal(status, 201);
            const { id, ...rest } = body;
            assert.match(String(id), /^aj_[0-9a-f]+$/);
            assert.deepEqual(rest, {
                status: "active",
                source: { repository, ref: "main" },
                model: "none",
                prLink: null,
                createdAt: "2026-11-01T10:00:00.000Z",
                archivedAt: null,
            });
            assert.deepEqual(await running.request("GET", `${path}/${String(id)}`).then((answer) => answer.body), body);
        });
    });

    it("returns a null ref if the project names no branch", async () => {
        await withService(options, async (running) => {
            const { body } = await running.request("GET", `/v2/agent/blog/job/${await createJob(running, "blog")}`);
            assert.deepEqual(body["source"], { repository, ref: null });
        });
    });

    const endings = [
        ["completed with a pull request", "changed", "completed"],
        ["completed without a change", "unchanged", "completed"],
        ["failed", "failed", "failed"],
    ] as const;
    for (const [what, how, status] of endings) {
        it(`shows a job that ${what}`, async () => {
            await withAgents(async ({ running, agents, end }) => {
                const id = await createJob(running);
                await end(id, how);
                const { body } = await running.request("GET", `${path}/${id}`);
                const prLink = how === "changed" ? agents.linkOf(id) : null;
                assert.deepEqual([body["status"], body["prLink"], body["archivedAt"]], [status, prLink, null]);
            });
        });
    }

    it("preserves the pull request if a completed job is archived", async () => {
        await withAgents(async ({ running, agents, end }) => {
            const id = await createJob(running);
            await end(id, "changed");
            await running.request("POST", `${path}/${id}/archive`);
            const { body } = await running.request("GET", `${path}/${id}`);
            assert.deepEqual([body["status"], body["prLink"]], ["archived", agents.linkOf(id)]);
        });
    });

    it("appends a message to an active job after its first prompt", async () => {
        await withAgents(async ({ running, agents, end }) => {
            const id = await createJob(running);
            const { status, body } = await running.request("POST", `${path}/${id}/message`, {
                json: { prompt: "And links." },
            });
            assert.deepEqual([status, body["id"], body["status"]], [200, id, "active"]);
            await agents.end(id, "unchanged");
            await agents.hasPrompts(id, 2);
            await end(id, "unchanged");
            assert.deepEqual(await agents.prompts(id), ["Fix typos.", "And links."]);
        });
    });

    it("reactivates a completed job after a message, without its pull request", async () => {
        await withAgents(async ({ running, end }) => {
            const id = await createJob(running);
            await end(id, "changed");
            const { body } = await running.request("POST", `${path}/${id}/message`, { json: { prompt: "And links." } });
            assert.deepEqual([body["status"], body["prLink"]], ["active", null]);
        });
    });

    it("answers 409 to a message for an archived job", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            await running.request("POST", `${path}/${id}/archive`);
            const { status, body } = await running.request("POST", `${path}/${id}/message`, {
                json: { prompt: "More." },
            });
            assert.equal(status, 409);
            assert.deepEqual(body, {
                error: `Agent job ${id} is archived: a message needs a job that is active, completed or failed.`,
            });
        });
    });

    for (const how of ["none", "changed", "failed"] as const) {
        it(`archives a job only once, with agent outcome ${how}`, async () => {
            await withAgents(async ({ running, end }) => {
                const id = await createJob(running);
                if (how !== "none") {
                    await end(id, how);
                }
                const { status, body } = await running.request("POST", `${path}/${id}/archive`);
                assert.deepEqual(
                    [status, body["status"], body["archivedAt"]],
                    [200, "archived", "2026-11-01T10:00:00.000Z"],
                );
                assert.deepEqual((await running.request("POST", `${path}/${id}/archive`)).body, body);
            });
        });
    }

    it("limits a project's prompts per hour, counting creations and messages together", async () => {
        let time = now;
        await withService({ ...options, clock: () => time, agentStartsPerHour: 3 }, async (running) => {
            const json = { prompt: "Fix typos." };
            const id = await createJob(running);
            time += 600_000;
            await running.request("POST", `${path}/${id}/message`, { json });
            const headers = { "idempotency-key": "k1" };
            const third = await running.request("POST", path, { json, headers });
            for (const refusedPath of [path, `${path}/${id}/message`]) {
                const { status, body, headers: answered } = await running.request("POST", refusedPath, { json });
                assert.deepEqual(
                    [status, body["error"], answered.get("retry-after")],
                    [429, "Project docs has used its 3 prompts for this hour.", "3000"],
                );
            }
            assert.deepEqual((await running.request("POST", path, { json, headers })).body, third.body);
            await createJob(running, "blog");
            time += 3_000_000;
            await createJob(running);
            assert.equal((await running.request("POST", path, { json })).status, 429);
        });
    });

    it("answers 404 for an unknown job or project, and for a job of another project", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            const json = { prompt: "Hello." };
            const answers = [
                await running.request("GET", `${path}/aj_42`),
                await running.request("GET", `/v2/agent/blog/job/${id}`),
                await running.request("POST", `/v2/agent/blog/job/${id}/message`, { json }),
                await running.request("POST", "/v2/agent/nobody/job", { json }),
            ];
            assert.deepEqual(
                answers.map(({ status, body }) => [status, body["error"]]),
                [
                    [404, "There is no agent job aj_42 in project docs."],
                    [404, `There is no agent job ${id} in project blog.`],
                    [404, `There is no agent job ${id} in project blog.`],
                    [404, "There is no project nobody on this service."],
                ],
            );
        });
    });

    it("accepts the longest prompt, even if each character is escaped as two UTF-16 code units", async () => {
        await withAgents(async ({ running, agents }) => {
            const body = `{"prompt":"${"\\ud83d\\ude00".repeat(100_000)}"}`;
            const headers = { "content-type": "application/json" };
            const created = await running.request("POST", path, { body, headers });
            assert.equal(created.status, 201, created.text);
            const id = String(created.body["id"]);
            await agents.hasPrompts(id, 1);
            assert.deepEqual(await agents.prompts(id), ["😀".repeat(100_000)]);
        });
    });

    it("refuses an empty or missing prompt", async () => {
        await withService(options, async ({ request }) => {
            const rule = "prompt must be a string of 1 to 100,000 characters that says what the agent should do.";
            const refused: [unknown, string][] = [
                [{ prompt: "" }, rule],
                [{ prompt: 1 }, rule],
                [{}, 'The body lacks the field "prompt".'],
            ];
            for (const [json, error] of refused) {
                const { status, body } = await request("POST", path, { json });
                assert.deepEqual([status, body], [400, { error }]);
            }
        });
    });

    it("runs a prompt after a restart with an agent, and shows its outcome after another restart", async () => {
        await withFolder(async (folder) => {
            const agents = await ScriptedAgents.create(folder);
            const restarted = { ...options, projects: { docs: { repository: agents.repository } } };
            let id = "";
            await withServiceOver(folder, restarted, async (running) => {
                id = await createJob(running);
            });
            await withServiceOver(folder, { ...restarted, agent: agents.options }, (running) =>
                endJob(running, agents, id, "changed"),
            );
            await withServiceOver(folder, restarted, async ({ request }) => {
                const { body } = await request("GET", `${path}/${id}`);
                assert.deepEqual([body["status"], body["prLink"]], ["completed", agents.linkOf(id)]);
            });
            assert.deepEqual(await agents.prompts(id), ["Fix typos."]);
        });
    });
});
