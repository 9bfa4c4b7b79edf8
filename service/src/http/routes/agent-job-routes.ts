import { type FastifyReply } from "fastify";
import {
    type AgentJob,
    AgentJobArchivedError,
    type AgentJobStore,
    type AgentProject,
} from "../../agents/agent-job-store.js";
import { type SqlClient } from "../../database/database.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { type AnyJobRunner } from "../../jobs/runner.js";
import { type AuditLog } from "../../history/audit-log.js";
import { logAct } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import {
    AgentJobParams,
    AgentProjectParams,
    PromptBody,
    startAnswerHeaders,
    StartHeaders,
} from "../protocol/schemas.js";
import { actOnce, logOnce, startOnce } from "./start-once.js";

interface AgentJobRoutesOptions {
    agentJobs: AgentJobStore;
    keys: IdempotencyKeys;
    projects: ReadonlyMap<string, AgentProject>;
    /** Undefined if this process runs no prompts. */
    agents: AnyJobRunner | undefined;
    /** The limit for new jobs and messages together, per project. */
    agentStartsPerHour: number;
    clock: () => number;
    audit: AuditLog;
}

const route = routesOf<AgentJobRoutesOptions>("Agent jobs");
const hourMs = 3600 * 1000;

const createAgentJob = route({
    at: "POST /v2/agent/:projectId/job",
    operation: "agent-start",
    scopes: ["agent"],
    id: "createAgentJob",
    summary: "Create an agent job",
    request: { params: AgentProjectParams, headers: StartHeaders, body: PromptBody },
    answer: [201, "AgentJob", "The job is active.", startAnswerHeaders],
    errors: [404, 422, 429],
    handle: async (request, context, reply) => {
        const { projectId } = request.params;
        const { prompt } = request.body;
        const { agentJobs } = context;
        const project = context.projects.get(projectId);
        if (project === undefined) {
            throw new RequestError(404, `There is no project ${projectId} on this service.`);
        }
        const key = request.headers["idempotency-key"];
        const started = { reply, key, scope: `agent-start ${projectId}`, started: { prompt } };
        const id = await startOnce(context.keys, started, {
            start: async (transaction) => {
                await expectWithinLimit(projectId, reply, transaction, context);
                return (await agentJobs.create(projectId, project, prompt, transaction)).id;
            },
            hasJob: async (known, transaction) => (await agentJobs.get(projectId, known, transaction)) !== undefined,
        });
        logOnce(reply, context.audit, request, `started agent job ${id} of project ${projectId}`, id);
        context.agents?.wake();
        return bodyOf(await expectJob({ projectId, id }, agentJobs));
    },
});

const getAgentJob = route({
    at: "GET /v2/agent/:projectId/job/:id",
    operation: "agent-get",
    scopes: ["read", "agent"],
    id: "getAgentJob",
    summary: "Get an agent job",
    request: { params: AgentJobParams },
    answer: [200, "AgentJob", "The current state of the job."],
    errors: [404],
    handle: async ({ params }, { agentJobs }) => bodyOf(await expectJob(params, agentJobs)),
});

const sendAgentJobMessage = route({
    at: "POST /v2/agent/:projectId/job/:id/message",
    operation: "agent-message",
    scopes: ["agent"],
    id: "sendAgentJobMessage",
    summary: "Send a further prompt to an agent job",
    request: { params: AgentJobParams, headers: StartHeaders, body: PromptBody },
    answer: [200, "AgentJob", "The job, active again if it had ended.", startAnswerHeaders],
    errors: [404, 409, 422, 429],
    handle: async (request, context, reply) => {
        const { params } = request;
        const { prompt } = request.body;
        const { agentJobs } = context;
        const { id } = await expectJob(params, agentJobs);
        const key = request.headers["idempotency-key"];
        try {
            const what = { reply, key, scope: `agent-message ${id}`, started: { prompt } };
            await actOnce(context.keys, what, async (transaction) => {
                await expectWithinLimit(params.projectId, reply, transaction, context);
                return (await agentJobs.addMessage(id, prompt, transaction)).id;
            });
        } catch (error) {
            throw error instanceof AgentJobArchivedError ? new RequestError(409, error.message) : error;
        }
        logOnce(reply, context.audit, request, `sent a message to agent job ${id}`, id);
        context.agents?.wake();
        return bodyOf(await expectJob(params, agentJobs));
    },
});

const archiveAgentJob = route({
    at: "POST /v2/agent/:projectId/job/:id/archive",
    operation: "agent-archive",
    scopes: ["agent"],
    id: "archiveAgentJob",
    summary: "Archive an agent job; an agent that works on it is stopped first (an addition of this service)",
    request: { params: AgentJobParams },
    answer: [200, "AgentJob", "The job, archived."],
    errors: [404],
    handle: async (request, { agentJobs, agents, audit }) => {
        const { id, status } = await expectJob(request.params, agentJobs);
        if (status !== "archived") {
            await agentJobs.archive(id).catch(unlessArchivedMeanwhile);
            logAct(audit, request, `archived agent job ${id}`, id);
            await agents?.stop(id);
        }
        return bodyOf(await expectJob(request.params, agentJobs));
    },
});

export const agentJobRoutes = [createAgentJob, getAgentJob, sendAgentJobMessage, archiveAgentJob];

async function expectWithinLimit(
    projectId: string,
    reply: FastifyReply,
    transaction: SqlClient,
    { agentJobs, agentStartsPerHour, clock }: AgentJobRoutesOptions,
): Promise<void> {
    const recent = await agentJobs.promptsSince(projectId, clock() - hourMs, transaction);
    const next = recent.at(-agentStartsPerHour);
    if (next !== undefined) {
        void reply.header("retry-after", Math.ceil((next + hourMs - clock()) / 1000));
        throw new RequestError(429, `Project ${projectId} has used its ${agentStartsPerHour} prompts for this hour.`);
    }
}

/** @throws RequestError if there is none */
export async function expectJob(
    { projectId, id }: { projectId: string; id: string },
    agentJobs: AgentJobStore,
): Promise<AgentJob> {
    const job = await agentJobs.get(projectId, id);
    if (job === undefined) {
        throw new RequestError(404, `There is no agent job ${id} in project ${projectId}.`);
    }
    return job;
}

/** Ignores the error for a job that another request has archived first. */
function unlessArchivedMeanwhile(error: unknown): void {
    if (!(error instanceof AgentJobArchivedError)) {
        throw error;
    }
}

function bodyOf({ projectId: _, ...job }: AgentJob) {
    return { ...job, createdAt: job.createdAt.toISOString(), archivedAt: job.archivedAt?.toISOString() ?? null };
}
