import { type FastifyRequest } from "fastify";
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
import { readable, withQuery } from "./pages/parts.js";
import { type SiteAnswer, type SiteListAnswer, SitePage, SitesPage } from "./pages/site-pages.js";
import { type Warnings } from "./pages/warning-list.js";
import { contextOf, sendPage } from "./render-page.js";
import { sessionCookie } from "./sign-in-routes.js";

const schema = { hide: true };
const pageSize = "50";

/** Adds the pages that only show something. */
export function addPageRoutes(app: App, parts: DashboardParts): void {
    const { api, base, live, projects, clock } = parts;

    app.get("/", { schema }, (_request, reply) => reply.redirect(`${base()}/sites`, 303));

    app.get("/sites", { schema }, async (request, reply) => {
        const { search, state, cursor } = queryOf(request);
        const path = withQuery("/v1/sites", { search, state, cursor, limit: pageSize });
        const list = await api.get<SiteListAnswer>(viewerOf(request), path);
        const context = contextOf(parts, request, reply);
        return sendPage(reply, <SitesPage context={context} list={list} search={search ?? ""} state={state ?? ""} />);
    });

    app.get("/sites/:domain", { schema }, async (request, reply) => {
        const { domain = "" } = request.params as { domain?: string };
        const viewer = viewerOf(request);
        const site = await api.get<SiteAnswer>(viewer, `/v1/sites/${encodeURIComponent(domain)}`);
        const { cursor } = queryOf(request);
        const exports = viewer.scopes.some((scope) => scope === "read" || scope === "export")
            ? await api.get<JobList>(
                  viewer,
                  withQuery("/v1/static-export/jobs", { domain: site.domain, cursor, limit: "20" }),
              )
            : { jobs: [], next: null };
        const last = exports.jobs.find(({ status }) => status === "completed");
        const warnings = last === undefined ? undefined : await warningsOf(api, viewer, last.jobId);
        const context = contextOf(parts, request, reply);
        return sendPage(reply, <SitePage context={context} site={site} exports={exports} warnings={warnings} />);
    });

    for (const kind of ["export", "update"] as const) {
        app.get(kind === "export" ? "/jobs" : "/updates", { schema }, async (request, reply) => {
            const query = queryOf(request);
            const filters = {
                ...query,
                since: midnight(query["since"]),
                until: midnight(query["until"]),
                limit: pageSize,
            };
            const list = await api.get<JobList>(
                viewerOf(request),
                withQuery(kind === "export" ? "/v1/static-export/jobs" : "/v1/project/updates", filters),
            );
            const context = contextOf(parts, request, reply);
            return sendPage(reply, <JobsPage context={context} kind={kind} list={list} query={query} />);
        });
    }

    app.get("/jobs/:jobId", { schema }, async (request, reply) => {
        const { jobId = "" } = request.params as { jobId?: string };
        const viewer = viewerOf(request);
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}`;
        const job = await api.get<JobDetailsAnswer>(viewer, `${path}/details`);
        const warnings = jobId.startsWith("se_") ? await warningsOf(api, viewer, jobId) : undefined;
        const context = contextOf(parts, request, reply);
        return sendPage(reply, <JobPage context={context} job={job} warnings={warnings} />);
    });

    app.get("/jobs/:jobId/changes", { schema }, async (request, reply) => {
        const { jobId = "" } = request.params as { jobId?: string };
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/changes`;
        const changes = await api.get<ChangesAnswer>(viewerOf(request), path);
        return sendPage(reply, <ChangesPage context={contextOf(parts, request, reply)} changes={changes} />);
    });

    // A click creates the link, so that no page contains one.
    app.get("/jobs/:jobId/download", { schema }, async (request, reply) => {
        const { jobId = "" } = request.params as { jobId?: string };
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle`;
        const { bundleUrl } = await api.call<{ bundleUrl: string }>(viewerOf(request), "POST", path);
        return reply.redirect(bundleUrl, 303);
    });

    app.get("/agent-jobs", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const { cursor } = queryOf(request);
        const list = await api.get<{ jobs: AgentJobRecord[]; next: string | null }>(
            viewer,
            withQuery("/v2/agent/jobs", { cursor, limit: pageSize }),
        );
        const context = contextOf(parts, request, reply);
        return sendPage(
            reply,
            <AgentJobsPage
                context={context}
                list={list}
                projects={ownProjects(narrowedTo(["agent"], viewer), projects)}
            />,
        );
    });

    app.get("/agent-jobs/:projectId/:id", { schema }, async (request, reply) => {
        const { projectId = "", id = "" } = request.params as { projectId?: string; id?: string };
        const path = `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
        const viewer = viewerOf(request);
        const [job, log] = await Promise.all([
            api.get<AgentJobAnswer>(viewer, path),
            api.get<AgentLogAnswer>(viewer, `${path}/log`),
        ]);
        const context = contextOf(parts, request, reply);
        return sendPage(reply, <AgentJobPage context={context} projectId={projectId} job={job} log={log} />);
    });

    app.get("/agent-jobs/:projectId/:id/log", { schema }, async (request) => {
        const { projectId = "", id = "" } = request.params as { projectId?: string; id?: string };
        const path = `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
        const viewer = viewerOf(request);
        const { from } = queryOf(request);
        const { text, next } = await api.get<AgentLogAnswer>(viewer, withQuery(`${path}/log`, { from }));
        const { status } = await api.get<AgentJobAnswer>(viewer, path);
        return { text: readable(text), next, status };
    });

    app.get("/keys", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const { keys } = await api.get<{ keys: KeyAnswer[] }>(viewer, "/v1/keys");
        const context = contextOf(parts, request, reply);
        return sendPage(
            reply,
            <KeysPage
                context={context}
                keys={keys}
                projects={ownProjects(narrowedTo(["keys"], viewer), projects)}
                now={clock()}
            />,
        );
    });

    app.get("/health", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const usage = await api.get<UsageAnswer>(viewer, "/v1/usage");
        const isOperator = isUnlimited(narrowedTo(["read"], viewer));
        const service = isOperator ? await api.get<ServiceAnswer>(viewer, "/v1/service") : undefined;
        const { workers } = isOperator ? await api.get<WorkersAnswer>(viewer, "/v1/workers") : { workers: [] };
        const context = contextOf(parts, request, reply);
        return sendPage(reply, <HealthPage context={context} service={service} workers={workers} usage={usage} />);
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
