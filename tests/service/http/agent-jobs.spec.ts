import { AgentJobTransitionError } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { type RunningService, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const repository = "https://github.com/acme/docs";
const prLink = "https://github.com/acme/docs/pull/7";
const now = Date.parse("2026-11-01T10:00:00Z");
const options = {
    exporter: copyingExporter,
    projects: { docs: { repository, ref: "main", model: "careful-1" }, blog: { repository } },
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

describe("Agent jobs", () => {
    it("creates an active job with every field of the contract", async () => {
        await withService(options, async (running) => {
            const { status, body } = await running.request("POST", path, { json: { prompt: "Fix typos." } });
            assert.equal(status, 201);
            const { id, ...rest } = body;
            assert.match(String(id), /^aj_[0-9a-f]+$/);
            assert.deepEqual(rest, {
                status: "active",
                source: { repository, ref: "main" },
                model: "careful-1",
                prLink: null,
                createdAt: "2026-11-01T10:00:00.000Z",
                archivedAt: null,
            });
            assert.deepEqual(await running.request("GET", `${path}/${String(id)}`).then((answer) => answer.body), body);
        });
    });

    it("has a null ref where the project names no branch", async () => {
        await withService(options, async (running) => {
            const { body } = await running.request("GET", `/v2/agent/blog/job/${await createJob(running, "blog")}`);
            assert.deepEqual(body["source"], { repository, ref: null });
        });
    });

    const endings = [
        ["completed with a pull request", "completed", prLink, null],
        ["completed without a change", "completed", null, null],
        ["failed", "failed", null, null],
        ["archived", "archived", null, "2026-11-01T10:00:00.000Z"],
    ] as const;
    for (const [what, status, expectedLink, archivedAt] of endings) {
        it(`shows a job that ${what}`, async () => {
            await withService(options, async (running) => {
                const id = await createJob(running);
                const { agentJobs } = running.service;
                if (status === "completed") {
                    await agentJobs.complete(id, { prLink: expectedLink });
                } else {
                    await agentJobs[status === "failed" ? "fail" : "archive"](id);
                }
                const { body } = await running.request("GET", `${path}/${id}`);
                assert.deepEqual(
                    [body["status"], body["prLink"], body["archivedAt"]],
                    [status, expectedLink, archivedAt],
                );
            });
        });
    }

    it("keeps the pull request of a job that is archived after it completed", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            await running.service.agentJobs.complete(id, { prLink });
            await running.service.agentJobs.archive(id);
            const { body } = await running.request("GET", `${path}/${id}`);
            assert.deepEqual([body["status"], body["prLink"]], ["archived", prLink]);
        });
    });

    it("refuses endings of a job that has ended", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            const { agentJobs } = running.service;
            await agentJobs.fail(id);
            await assert.rejects(agentJobs.complete(id, { prLink }), AgentJobTransitionError);
            await assert.rejects(agentJobs.fail(id), {
                message: `Agent job ${id} is failed: failure needs it to be active.`,
            });
            await agentJobs.archive(id);
            await assert.rejects(agentJobs.archive(id), AgentJobTransitionError);
        });
    });

    it("adds a message to an active job, after its first prompt", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            const { status, body } = await running.request("POST", `${path}/${id}/message`, {
                json: { prompt: "And links." },
            });
            assert.deepEqual([status, body["id"], body["status"]], [200, id, "active"]);
            assert.deepEqual(await running.service.agentJobs.prompts(id), ["Fix typos.", "And links."]);
        });
    });

    it("makes a completed job active again by a message, without its pull request", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            await running.service.agentJobs.complete(id, { prLink });
            const { body } = await running.request("POST", `${path}/${id}/message`, { json: { prompt: "And links." } });
            assert.deepEqual([body["status"], body["prLink"]], ["active", null]);
        });
    });

    it("answers 409 to a message to an archived job, and stores nothing", async () => {
        await withService(options, async (running) => {
            const id = await createJob(running);
            await running.service.agentJobs.archive(id);
            const { status, body } = await running.request("POST", `${path}/${id}/message`, {
                json: { prompt: "More." },
            });
            assert.equal(status, 409);
            assert.deepEqual(body, {
                error: `Agent job ${id} is archived: a message needs it to be active or completed or failed.`,
            });
            assert.deepEqual(await running.service.agentJobs.prompts(id), ["Fix typos."]);
        });
    });

    it("archives a job from every state, once", async () => {
        await withService(options, async (running) => {
            for (const end of ["none", "complete", "fail"] as const) {
                const id = await createJob(running);
                if (end === "complete") {
                    await running.service.agentJobs.complete(id, { prLink });
                } else if (end === "fail") {
                    await running.service.agentJobs.fail(id);
                }
                const { status, body } = await running.request("POST", `${path}/${id}/archive`);
                assert.deepEqual(
                    [status, body["status"], body["archivedAt"]],
                    [200, "archived", "2026-11-01T10:00:00.000Z"],
                );
                assert.deepEqual((await running.request("POST", `${path}/${id}/archive`)).body, body);
            }
        });
    });

    it("takes so many prompts of a project within an hour, creations and messages together", async () => {
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

    it("answers 404 for an unknown job, another project's job and an unknown project", async () => {
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

    it("takes the longest prompt, also where each of its characters is escaped as two of UTF-16", async () => {
        await withService(options, async ({ request, service }) => {
            const body = `{"prompt":"${"\\ud83d\\ude00".repeat(100_000)}"}`;
            const headers = { "content-type": "application/json" };
            const created = await request("POST", path, { body, headers });
            assert.equal(created.status, 201, created.text);
            assert.deepEqual(await service.agentJobs.prompts(String(created.body["id"])), ["😀".repeat(100_000)]);
        });
    });

    it("refuses an empty prompt, and none", async () => {
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

    it("survives a restart, with its prompts", async () => {
        await withFolder(async (folder) => {
            let id = "";
            await withServiceOver(folder, options, async (running) => {
                id = await createJob(running);
                await running.service.agentJobs.complete(id, { prLink });
            });
            await withServiceOver(folder, options, async ({ request, service }) => {
                const { body } = await request("GET", `${path}/${id}`);
                assert.deepEqual([body["status"], body["prLink"]], ["completed", prLink]);
                assert.deepEqual(await service.agentJobs.prompts(id), ["Fix typos."]);
            });
        });
    });
});
