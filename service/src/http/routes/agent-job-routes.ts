import { type FastifyReply } from "fastify";
import {
    type AgentJob,
    type AgentJobStore,
    AgentJobArchivedError,
    type AgentProject,
} from "../../agents/agent-job-store.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { type SqlClient } from "../../database/database.js";
import { type AnyJobRunner } from "../../jobs/runner.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { startOnce } from "./idempotency.js";
import { aboutRequest } from "../protocol/about-request.js";
import { describeKey } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import {
    AgentJobParams,
    AgentProjectParams,
    errorAnswers,
    PromptBody,
    Shared,
    startAnswerHeaders,
    StartHeaders,
} from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";

export interface AgentJobRoutesOptions {
    store: AgentJobStore;
    keys: IdempotencyKeys;
    projects: ReadonlyMap<string, AgentProject>;
    /** Undefined if this process runs no prompts. */
    runner: AnyJobRunner | undefined;
    /** The limit for new jobs and messages together, per project. */
    startsPerHour: number;
    clock: () => number;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Agent jobs"];

const hourMs = 3600 * 1000;

export function addAgentJobRoutes(app: App, options: AgentJobRoutesOptions): void {
    const { store, keys, projects, runner, startsPerHour, clock, logger } = options;

    const expectWithinLimit = async (projectId: string, reply: FastifyReply, transaction: SqlClient): Promise<void> => {
        const recent = await store.promptsSince(projectId, clock() - hourMs, transaction);
        const next = recent.at(-startsPerHour);
        if (next !== undefined) {
            void reply.header("retry-after", Math.ceil((next + hourMs - clock()) / 1000));
            throw new RequestError(429, `Project ${projectId} has used its ${startsPerHour} prompts for this hour.`);
        }
    };

    const expectJob = async ({ projectId, id }: { projectId: string; id: string }): Promise<AgentJob> => {
        const job = await store.get(projectId, id);
        if (job === undefined) {
            throw new RequestError(404, `There is no agent job ${id} in project ${projectId}.`);
        }
        return job;
    };

    app.post(
        "/v2/agent/:projectId/job",
        {
            config: { operation: "agent-start", scopes: ["agent"] },
            schema: {
                operationId: "createAgentJob",
                summary: "Create an agent job",
                tags,
                security,
                params: AgentProjectParams,
                headers: StartHeaders,
                body: PromptBody,
                response: {
                    201: Shared("AgentJob", "The job is active.", startAnswerHeaders),
                    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
                },
            },
        },
        async (request, reply) => {
            const { projectId } = request.params;
            const project = projects.get(projectId);
            if (project === undefined) {
                throw new RequestError(404, `There is no project ${projectId} on this service.`);
            }
            const { prompt } = request.body;
            const id = await startOnce(
                keys,
                { request, reply, scope: `agent-start ${projectId}`, started: { prompt } },
                {
                    start: async (transaction) => {
                        await expectWithinLimit(projectId, reply, transaction);
                        return (await store.create(projectId, project, prompt, transaction)).id;
                    },
                    hasJob: async (known, transaction) =>
                        (await store.get(projectId, known, transaction)) !== undefined,
                },
            );
            const job = bodyOf(await expectJob({ projectId, id }));
            runner?.wake();
            logger.info(
                `${describeKey(request.caller)} started agent job ${id} of project ${projectId}.`,
                aboutRequest(request, id),
            );
            void reply.code(201);
            return job;
        },
    );

    app.get(
        "/v2/agent/:projectId/job/:id",
        {
            config: { operation: "agent-get", scopes: ["read", "agent"] },
            schema: {
                operationId: "getAgentJob",
                summary: "Get an agent job",
                tags,
                security,
                params: AgentJobParams,
                response: {
                    200: Shared("AgentJob", "The current state of the job."),
                    ...errorAnswers(401, 403, 404, 500, 503),
                },
            },
        },
        async (request) => bodyOf(await expectJob(request.params)),
    );

    app.post(
        "/v2/agent/:projectId/job/:id/message",
        {
            config: { operation: "agent-message", scopes: ["agent"] },
            schema: {
                operationId: "sendAgentJobMessage",
                summary: "Send a further prompt to an agent job",
                tags,
                security,
                params: AgentJobParams,
                headers: StartHeaders,
                body: PromptBody,
                response: {
                    200: Shared("AgentJob", "The job, active again if it had ended.", startAnswerHeaders),
                    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
                },
            },
        },
        async (request, reply) => {
            const { id } = await expectJob(request.params);
            const { prompt } = request.body;
            try {
                const what = { request, reply, scope: `agent-message ${id}`, started: { prompt } };
                await startOnce(keys, what, {
                    start: async (transaction) => {
                        await expectWithinLimit(request.params.projectId, reply, transaction);
                        return (await store.addMessage(id, prompt, transaction)).id;
                    },
                    hasJob: () => Promise.resolve(true),
                });
                const job = bodyOf(await expectJob(request.params));
                runner?.wake();
                logger.info(
                    `${describeKey(request.caller)} sent a message to agent job ${id}.`,
                    aboutRequest(request, id),
                );
                return job;
            } catch (error) {
                throw error instanceof AgentJobArchivedError ? new RequestError(409, error.message) : error;
            }
        },
    );

    app.post(
        "/v2/agent/:projectId/job/:id/archive",
        {
            config: { operation: "agent-archive", scopes: ["agent"] },
            schema: {
                operationId: "archiveAgentJob",
                summary:
                    "Archive an agent job; an agent that works on it is stopped first (an addition of this service)",
                tags,
                security,
                params: AgentJobParams,
                response: {
                    200: Shared("AgentJob", "The job, archived."),
                    ...errorAnswers(400, 401, 403, 404, 413, 415, 500, 503),
                },
            },
        },
        async (request) => {
            const { id, status } = await expectJob(request.params);
            if (status !== "archived") {
                await store.archive(id).catch(unlessArchivedMeanwhile);
                await runner?.stop(id);
                logger.info(`${describeKey(request.caller)} archived agent job ${id}.`, aboutRequest(request, id));
            }
            return bodyOf(await expectJob(request.params));
        },
    );
}

/** Ignores the error for a job that another request has archived first. */
function unlessArchivedMeanwhile(error: unknown): void {
    if (!(error instanceof AgentJobArchivedError)) {
        throw error;
    }
}

function bodyOf(job: AgentJob) {
    return {
        id: job.id,
        status: job.status,
        source: job.source,
        model: job.model,
        prLink: job.prLink,
        createdAt: job.createdAt.toISOString(),
        archivedAt: job.archivedAt?.toISOString() ?? null,
    };
}
