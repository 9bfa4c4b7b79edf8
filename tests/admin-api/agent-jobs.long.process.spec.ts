import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, JobFailedError, systemClock } from "@pulumi-static-export/sdk";
import { createService, type Service } from "@pulumi-static-export/service";
import { ScriptedAgents } from "../service/support/scripted-agents.js";

const adminApiKey = "contract_0123456789abcdef";
const projectId = "p_1";

describe("agent jobs, with the sdk calling the service over HTTP:", () => {
    let folder: string;
    let service: Service;
    let agents: ScriptedAgents;
    let client: AdminClient;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-contract-"));
        await mkdir(join(folder, "site"));
        agents = await ScriptedAgents.create(folder);
        service = createService({
            dataDir: join(folder, "data"),
            sites: { "docs.example.com": join(folder, "site") },
            adminApiKey,
            projects: { [projectId]: { repository: agents.repository, ref: "main" } },
            agent: agents.options,
        });
        await service.listen();
        client = new AdminClient({
            baseUrl: service.url,
            adminApiKey,
            clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
        });
    });

    after(async () => {
        client.close();
        await service.close();
        await rm(folder, { recursive: true });
    });

    it("create returns an active job with its repository and no pull request", async () => {
        const job = await client.agentJobs.create(projectId, { prompt: "Document the new endpoint" });
        assert.equal(job.status, "active");
        assert.deepEqual(job.source, { repository: agents.repository, ref: "main" });
        assert.equal(job.prLink, null);
        assert.equal(job.archivedAt, null);
        assert.deepEqual(await client.agentJobs.get(projectId, job.id), job);
    });

    it("a wait returns the pull request when the agent completes", async () => {
        const { id } = await client.agentJobs.create(projectId, { prompt: "Fix the typo" });
        await agents.end(id, "changed");
        const job = await client.agentJobs.pollUntilDone(projectId, id);
        assert.equal(job.status, "completed");
        assert.equal(job.prLink, agents.linkOf(id));
    });

    it("a wait returns a failed job, or rejects with an error if requested", async () => {
        const { id } = await client.agentJobs.create(projectId, { prompt: "Do the impossible" });
        await agents.end(id, "failed");
        assert.equal((await client.agentJobs.pollUntilDone(projectId, id)).status, "failed");
        await assert.rejects(client.agentJobs.pollUntilDone(projectId, id, { rejectFailed: true }), JobFailedError);
    });

    it("a message reactivates a completed job", async () => {
        const { id } = await client.agentJobs.create(projectId, { prompt: "Write a page" });
        await agents.end(id, "unchanged");
        await client.agentJobs.pollUntilDone(projectId, id);
        assert.equal(
            (await client.agentJobs.sendMessage(projectId, id, { prompt: "Shorter, please" })).status,
            "active",
        );
    });

    it("an unknown job throws an HttpError with status 404", async () => {
        await assert.rejects(client.agentJobs.get(projectId, "unknown"), { status: 404 });
    });

    it("an empty prompt is refused", async () => {
        await assert.rejects(client.agentJobs.create(projectId, { prompt: "" }));
    });
});
