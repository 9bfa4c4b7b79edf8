import { type AgentJobStore } from "../../agents/agent-job-store.js";
import { type AgentHistory, type AgentJobSummary } from "../../history/agent-history.js";
import { type Caller } from "../protocol/caller.js";
import { AgentLogQuery, ListAgentJobsQuery } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { AgentJobParams, errorAnswers, Shared } from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";

export interface AgentHistoryRoutesOptions {
    store: AgentJobStore;
    history: AgentHistory;
}

const security = [{ adminApiKey: [] }];
const tags = ["Agent jobs"];
const defaultLimit = 20;

/** Adds the list of agent jobs over all projects, and the log of one job. */
export function addAgentHistoryRoutes(app: App, { store, history }: AgentHistoryRoutesOptions): void {
    app.get(
        "/v2/agent/jobs",
        {
            config: { operation: "agent-list", scopes: ["read", "agent"] },
            schema: {
                operationId: "listAgentJobs",
                summary: "List agent jobs of one project, or of all projects of the key",
                tags,
                security,
                querystring: ListAgentJobsQuery,
                response: {
                    200: Shared("AgentJobList", "The jobs that are still kept, the newest first."),
                    ...errorAnswers(400, 401, 403, 500, 503),
                },
            },
        },
        async ({ query, caller }) => {
            const { status, cursor } = query;
            const limit = Number(query.limit ?? defaultLimit);
            const before = cursor === undefined ? undefined : parseCursor(cursor);
            const found = await history.list({
                projects: projectsOf(caller, query.project),
                ...(status === undefined ? {} : { status }),
                ...(before === undefined ? {} : { before }),
                limit: limit + 1,
            });
            const jobs = found.slice(0, limit);
            const last = found.length > limit ? jobs.at(-1) : undefined;
            return {
                jobs: jobs.map(answerOf),
                next: last === undefined ? null : `${last.createdAt.getTime()}.${last.id}`,
            };
        },
    );

    app.get(
        "/v2/agent/:projectId/job/:id/log",
        {
            config: { operation: "agent-log", scopes: ["read", "agent"] },
            schema: {
                operationId: "getAgentJobLog",
                summary: "Get the prompts of an agent job, and a part of its log",
                tags,
                security,
                params: AgentJobParams,
                querystring: AgentLogQuery,
                response: {
                    200: Shared("AgentJobLog", "The prompts, and the log from the requested byte."),
                    ...errorAnswers(400, 401, 403, 404, 500, 503),
                },
            },
        },
        async ({ params: { projectId, id }, query }) => {
            if ((await store.get(projectId, id)) === undefined) {
                throw new RequestError(404, `There is no agent job ${id} in project ${projectId}.`);
            }
            const prompts = await history.prompts(id);
            return {
                prompts: prompts.map((prompt) => ({ ...prompt, createdAt: prompt.createdAt.toISOString() })),
                ...(await history.log(id, Number(query.from ?? 0))),
            };
        },
    );
}

function projectsOf({ projects }: Caller, wanted: string | undefined): readonly string[] | null {
    return wanted === undefined ? projects : (projects?.includes(wanted) ?? true) ? [wanted] : [];
}

/** Parses a cursor that the request's schema has accepted. */
function parseCursor(cursor: string): { createdAt: number; id: string } {
    const [createdAt, id = ""] = cursor.split(".");
    return { createdAt: Number(createdAt), id };
}

function answerOf(job: AgentJobSummary) {
    return {
        ...job,
        createdAt: job.createdAt.toISOString(),
        archivedAt: job.archivedAt?.toISOString() ?? null,
    };
}
