import {
    type AgentJob,
    type AgentJobStore,
    AgentJobTransitionError,
    type AgentProject,
} from "../store/agent-job-store.js";
import { type App } from "./app.js";
import { RequestError } from "./request-error.js";
import { AgentJobParams, AgentProjectParams, errorAnswers, PromptBody, Shared } from "./schemas.js";

export interface AgentJobRoutesOptions {
    store: AgentJobStore;
    projects: ReadonlyMap<string, AgentProject>;
}

const security = [{ adminApiKey: [] }];
const tags = ["Agent jobs"];

export function addAgentJobRoutes(app: App, { store, projects }: AgentJobRoutesOptions): void {
    const expectJob = ({ projectId, id }: { projectId: string; id: string }): AgentJob => {
        const job = store.get(projectId, id);
        if (job === undefined) {
            throw new RequestError(404, `There is no agent job ${id} in project ${projectId}.`);
        }
        return job;
    };

    app.post(
        "/v2/agent/:projectId/job",
        {
            config: { operation: "agent-start" },
            schema: {
                operationId: "createAgentJob",
                summary: "Create an agent job",
                tags,
                security,
                params: AgentProjectParams,
                body: PromptBody,
                response: {
                    201: Shared("AgentJob", "The job is active."),
                    ...errorAnswers(400, 401, 404, 413, 415, 429, 500),
                },
            },
        },
        (request, reply) => {
            const { projectId } = request.params;
            const project = projects.get(projectId);
            if (project === undefined) {
                throw new RequestError(404, `There is no project ${projectId} on this service.`);
            }
            void reply.code(201);
            return bodyOf(store.create(projectId, project, request.body.prompt));
        },
    );

    app.get(
        "/v2/agent/:projectId/job/:id",
        {
            config: { operation: "agent-get" },
            schema: {
                operationId: "getAgentJob",
                summary: "Get an agent job",
                tags,
                security,
                params: AgentJobParams,
                response: { 200: Shared("AgentJob", "The job as it is now."), ...errorAnswers(401, 404, 500) },
            },
        },
        (request) => bodyOf(expectJob(request.params)),
    );

    app.post(
        "/v2/agent/:projectId/job/:id/message",
        {
            config: { operation: "agent-message" },
            schema: {
                operationId: "sendAgentJobMessage",
                summary: "Send a further prompt to an agent job",
                tags,
                security,
                params: AgentJobParams,
                body: PromptBody,
                response: {
                    200: Shared("AgentJob", "The job, active again if it had ended."),
                    ...errorAnswers(400, 401, 404, 409, 413, 415, 429, 500),
                },
            },
        },
        (request) => {
            const { id } = expectJob(request.params);
            try {
                return bodyOf(store.addMessage(id, request.body.prompt));
            } catch (error) {
                throw error instanceof AgentJobTransitionError ? new RequestError(409, error.message) : error;
            }
        },
    );
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
