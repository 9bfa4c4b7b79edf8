import { type AgentJobStore } from "../../agents/agent-job-store.js";
import { type AgentHistory, type AgentJobSummary } from "../../history/agent-history.js";
import { cursorOf, parseCursor } from "../../keys/read-page.js";
import { type Caller } from "../protocol/caller.js";
import { AgentLogQuery, ListAgentJobsQuery } from "../protocol/operator-requests.js";
import { routesOf } from "../protocol/route.js";
import { AgentJobParams } from "../protocol/schemas.js";
import { expectJob } from "../routes/agent-job-routes.js";

interface AgentHistoryRoutesOptions {
    agentJobs: AgentJobStore;
    agentHistory: AgentHistory;
}

const route = routesOf<AgentHistoryRoutesOptions>("Agent jobs");
const defaultLimit = 20;

const listAgentJobs = route({
    at: "GET /v2/agent/jobs",
    operation: "agent-list",
    scopes: ["read", "agent"],
    id: "listAgentJobs",
    summary: "List agent jobs of one project, or of all projects of the key",
    request: { querystring: ListAgentJobsQuery },
    answer: [200, "AgentJobList", "The jobs that are still kept, the newest first."],
    handle: async ({ query, caller }, { agentHistory }) => {
        const { status, cursor } = query;
        const limit = Number(query.limit ?? defaultLimit);
        const before = parseCursor(cursor);
        const found = await agentHistory.list({
            projects: projectsOf(caller, query.project),
            ...(status === undefined ? {} : { status }),
            ...(before === undefined ? {} : { before }),
            limit: limit + 1,
        });
        const jobs = found.slice(0, limit);
        const last = found.length > limit ? jobs.at(-1) : undefined;
        return {
            jobs: jobs.map(answerOf),
            next: last === undefined ? null : cursorOf({ createdAt: last.createdAt.getTime(), id: last.id }),
        };
    },
});

const getAgentJobLog = route({
    at: "GET /v2/agent/:projectId/job/:id/log",
    operation: "agent-log",
    scopes: ["read", "agent"],
    id: "getAgentJobLog",
    summary: "Get the prompts of an agent job, and a part of its log",
    request: { params: AgentJobParams, querystring: AgentLogQuery },
    answer: [200, "AgentJobLog", "The prompts, and the log from the requested byte."],
    errors: [404],
    handle: async ({ params, query }, { agentJobs, agentHistory }) => {
        const { id } = await expectJob(params, agentJobs);
        const prompts = await agentHistory.prompts(id);
        return {
            prompts: prompts.map((prompt) => ({ ...prompt, createdAt: prompt.createdAt.toISOString() })),
            ...(await agentHistory.log(id, Number(query.from ?? 0))),
        };
    },
});

/** The list of agent jobs over all projects, and the log of one job. */
export const agentHistoryRoutes = [listAgentJobs, getAgentJobLog];

function projectsOf({ projects }: Caller, wanted: string | undefined): readonly string[] | null {
    return wanted === undefined ? projects : (projects?.includes(wanted) ?? true) ? [wanted] : [];
}

function answerOf({ source, ...job }: AgentJobSummary) {
    return {
        ...job,
        ...source,
        createdAt: job.createdAt.toISOString(),
        archivedAt: job.archivedAt?.toISOString() ?? null,
    };
}
