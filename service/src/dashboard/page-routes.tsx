import { type FastifyRequest } from "fastify";
import { type VNode } from "preact";
import { type Caller, isUnlimited, narrowedTo } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { type InternalApi, PageError } from "./internal-api.js";
import {
    type AgentJobAnswer,
    AgentJobPage,
    type AgentJobRecord,
    AgentJobsPage,
    type AgentLogAnswer,
} from "./pages/agent-pages.js";
import { type ChangesAnswer, ChangesPage } from "./pages/changes-page.js";
import { HealthPage, type ServiceAnswer, type UsageAnswer, type WorkersAnswer } from "./pages/health-page.js";
import { type JobDetailsAnswer, JobPage, JobsPage } from "./pages/job-pages.js";
import { type JobList } from "./pages/job-parts.js";
import { type KeyAnswer, KeysPage } from "./pages/key-pages.js";
import { type PageContext, readable, withQuery } from "./pages/parts.js";
import { type SiteAnswer, type SiteListAnswer, SitePage, SitesPage } from "./pages/site-pages.js";
import { type Warnings } from "./pages/warning-list.js";
import { contextOf, sendPage } from "./render-page.js";
import { sessionCookie } from "./sign-in-routes.js";

const schema = { hide: true };
const pageSize = "50";

/** What a page is made from. */
interface Asked {
    api: InternalApi;
    viewer: Caller;
    params: Partial<Record<"domain" | "jobId" | "projectId" | "id", string>>;
    query: Record<string, string | undefined>;
    parts: DashboardParts;
    context: PageContext;
}

/** By path: the pages that only show something. */
const pages: Readonly<Record<string, (asked: Asked) => Promise<VNode>>> = {
    "/sites": async ({ api, viewer, query: { search, state, cursor }, context }) => {
        const path = withQuery("/v1/sites", { search, state, cursor, limit: pageSize });
        const list = await api.get<SiteListAnswer>(viewer, path);
        return <SitesPage context={context} list={list} search={search ?? ""} state={state ?? ""} />;
    },
    "/sites/:domain": async ({ api, viewer, params: { domain = "" }, query: { cursor }, context }) => {
        const site = await api.get<SiteAnswer>(viewer, `/v1/sites/${encodeURIComponent(domain)}`);
        const exports = viewer.scopes.some((scope) => scope === "read" || scope === "export")
            ? await api.get<JobList>(
                  viewer,
                  withQuery("/v1/static-export/jobs", { domain: site.domain, cursor, limit: "20" }),
              )
            : { jobs: [], next: null };
        const last = exports.jobs.find(({ status }) => status === "completed");
        const warnings = last === undefined ? undefined : await warningsOf(api, viewer, last.jobId);
        return <SitePage context={context} site={site} exports={exports} warnings={warnings} />;
    },
    "/jobs": (asked) => jobsPage("export", "/v1/static-export/jobs", asked),
    "/updates": (asked) => jobsPage("update", "/v1/project/updates", asked),
    "/jobs/:jobId": async ({ api, viewer, params: { jobId = "" }, context }) => {
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}`;
        const job = await api.get<JobDetailsAnswer>(viewer, `${path}/details`);
        const warnings = jobId.startsWith("se_") ? await warningsOf(api, viewer, jobId) : undefined;
        return <JobPage context={context} job={job} warnings={warnings} />;
    },
    "/jobs/:jobId/changes": async ({ api, viewer, params: { jobId = "" }, context }) => {
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/changes`;
        return <ChangesPage context={context} changes={await api.get<ChangesAnswer>(viewer, path)} />;
    },
    "/agent-jobs": async ({ api, viewer, query: { cursor }, context, parts }) => {
        const path = withQuery("/v2/agent/jobs", { cursor, limit: pageSize });
        const list = await api.get<{ jobs: AgentJobRecord[]; next: string | null }>(viewer, path);
        const projects = ownProjects(narrowedTo(["agent"], viewer), parts.projects);
        return <AgentJobsPage context={context} list={list} projects={projects} />;
    },
    "/agent-jobs/:projectId/:id": async ({ api, viewer, params, context }) => {
        const path = agentApiPath(params);
        const [job, log] = await Promise.all([
            api.get<AgentJobAnswer>(viewer, path),
            api.get<AgentLogAnswer>(viewer, `${path}/log`),
        ]);
        return <AgentJobPage context={context} projectId={params.projectId ?? ""} job={job} log={log} />;
    },
    "/keys": async ({ api, viewer, context, parts }) => {
        const { keys } = await api.get<{ keys: KeyAnswer[] }>(viewer, "/v1/keys");
        const projects = ownProjects(narrowedTo(["keys"], viewer), parts.projects);
        return <KeysPage context={context} keys={keys} projects={projects} now={parts.clock()} />;
    },
    "/health": async ({ api, viewer, context }) => {
        const usage = await api.get<UsageAnswer>(viewer, "/v1/usage");
        const isOperator = isUnlimited(narrowedTo(["read"], viewer));
        const service = isOperator ? await api.get<ServiceAnswer>(viewer, "/v1/service") : undefined;
        const { workers } = isOperator ? await api.get<WorkersAnswer>(viewer, "/v1/workers") : { workers: [] };
        return <HealthPage context={context} service={service} workers={workers} usage={usage} />;
    },
};

/** Adds the pages that only show something. */
export function addPageRoutes(app: App, parts: DashboardParts): void {
    const { api, base, live } = parts;
    app.get("/", { schema }, (_request, reply) => reply.redirect(`${base()}/sites`, 303));
    for (const [path, show] of Object.entries(pages)) {
        app.get(path, { schema }, async (request, reply) => {
            const params = request.params as Asked["params"];
            const asked = { api, viewer: viewerOf(request), params, query: queryOf(request), parts };
            return sendPage(reply, await show({ ...asked, context: contextOf(parts, request, reply) }));
        });
    }

    // A click creates the link, so that no page contains one.
    app.get("/jobs/:jobId/download", { schema }, async (request, reply) => {
        const { jobId = "" } = request.params as Asked["params"];
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle`;
        const { bundleUrl } = await api.call<{ bundleUrl: string }>(viewerOf(request), "POST", path);
        return reply.redirect(bundleUrl, 303);
    });

    app.get("/agent-jobs/:projectId/:id/log", { schema }, async (request) => {
        const path = agentApiPath(request.params as Asked["params"]);
        const viewer = viewerOf(request);
        const { from } = queryOf(request);
        const { text, next } = await api.get<AgentLogAnswer>(viewer, withQuery(`${path}/log`, { from }));
        const { status } = await api.get<AgentJobAnswer>(viewer, path);
        return { text: readable(text), next, status };
    });

    app.get("/events", { schema }, (request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, {
            "content-type": "text/event-stream",
            "cache-control": "no-store",
            // nginx would otherwise hold the events back.
            "x-accel-buffering": "no",
        });
        live.add(reply.raw, request.cookies[sessionCookie] ?? "");
    });
}

async function jobsPage(kind: "export" | "update", path: string, { api, viewer, query, context }: Asked) {
    const filters = { ...query, since: midnight(query["since"]), until: midnight(query["until"]), limit: pageSize };
    const list = await api.get<JobList>(viewer, withQuery(path, filters));
    return <JobsPage context={context} kind={kind} list={list} query={query} />;
}

function agentApiPath({ projectId = "", id = "" }: Asked["params"]): string {
    return `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
}

async function warningsOf(api: InternalApi, viewer: Caller, jobId: string): Promise<Warnings | undefined> {
    const job = await api.get<{ warnings?: Warnings }>(viewer, `/v1/static-export/jobs/${encodeURIComponent(jobId)}`);
    return job.warnings;
}

function ownProjects({ projects: own }: Caller, projects: readonly string[]): readonly string[] {
    return projects.filter((id) => own?.includes(id) ?? true);
}

export function viewerOf({ viewer }: FastifyRequest): Caller {
    if (viewer === undefined) {
        throw new PageError(401, "Sign in first.");
    }
    return viewer;
}

/** The filters of a page; repeated ones are ignored. */
function queryOf({ query }: FastifyRequest): Record<string, string | undefined> {
    const entries = Object.entries(query as Record<string, unknown>);
    return Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
    );
}

function midnight(day: string | undefined): string | undefined {
    return day === undefined ? undefined : `${day}T00:00:00Z`;
}
