import { Readable } from "node:stream";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Caller, isUnlimited, narrowedTo } from "../http/protocol/caller.js";
import { type Answer } from "../http/protocol/schemas.js";
import { searchedHost } from "../http/protocol/searched-host.js";
import { type App } from "../http/protocol/typed-app.js";
import { dayMs } from "../shared/day-ms.js";
import { isUnfinished } from "../exports/site-job.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { type InternalApi, PageError } from "./internal-api.js";
import { AgentJobPage, AgentJobsPage, type PromptValues } from "./pages/agent-pages.js";
import { ChangeKeyPage } from "./pages/change-key-page.js";
import { ChangesPage } from "./pages/changes-page.js";
import { FailuresPage } from "./pages/failures-page.js";
import { HealthPage } from "./pages/health-page.js";
import { CancelJobPage, JobPage } from "./pages/job-pages.js";
import { jobPath } from "./pages/job-parts.js";
import { JobsPage } from "./pages/jobs-page.js";
import { type Refused } from "./pages/key-fields.js";
import { KeysPage } from "./pages/key-pages.js";
import { RevokeKeyPage, RotateKeyPage, shownMadeKeys } from "./pages/key-secret-pages.js";
import { firstSectionOf, type PageContext, withQuery } from "./pages/parts.js";
import { AuditPage, SessionsPage } from "./pages/session-pages.js";
import { SitePage, SitesPage } from "./pages/site-pages.js";
import { plainText, TerminalText } from "./pages/shown-text.js";
import { contextOf, queryOf, sendPage } from "./render-page.js";

const schema = { hide: true };
const pageSize = "50";
/** The end of a log says how its job ended. */
const shownLogBytes = 256 * 1024;

/** What a page is made from. */
interface Asked {
    api: InternalApi;
    viewer: Caller;
    params: Partial<Record<"domain" | "jobId" | "projectId" | "id" | "keyId", string>>;
    parts: DashboardParts;
    context: PageContext;
    reply: FastifyReply;
}

/** By path: the pages that only show something. A path instead of a page is where the person goes. */
const pages: Readonly<Record<string, (asked: Asked) => Promise<VNode | string>>> = {
    "/sites": async ({ api, viewer, context }) => {
        const { search, state, cursor } = context.query;
        const path = withQuery("/v1/sites", { search, state, cursor, limit: pageSize });
        return <SitesPage context={context} list={await api.get(viewer, "SiteList", path)} />;
    },
    "/sites/:domain": async ({ api, viewer, params: { domain = "" }, context }) => {
        const { cursor } = context.query;
        const site = await api.get(viewer, "Site", `/v1/sites/${encodeURIComponent(domain)}`);
        const exports = viewer.scopes.some((scope) => scope === "read" || scope === "export")
            ? await api.get(
                  viewer,
                  "StaticExportHistory",
                  withQuery("/v1/static-export/jobs", { domain: site.domain, cursor, limit: "20" }),
              )
            : { jobs: [], next: null };
        const last = exports.jobs.find(({ status }) => status === "completed");
        const warnings = last === undefined ? undefined : await warningsOf(api, viewer, last.jobId);
        const ownUsage = withQuery("/v1/usage", { domain: site.domain });
        const usage = viewer.scopes.includes("read") ? await api.get(viewer, "Usage", ownUsage) : undefined;
        const stored = usage?.sites[0];
        return <SitePage {...{ context, site, exports, warnings, stored }} />;
    },
    "/jobs": (asked) => jobsPage("export", asked),
    "/updates": (asked) => jobsPage("update", asked),
    "/failures": (asked) => failuresPage(asked),
    "/jobs/:jobId": async ({ api, viewer, params: { jobId = "" }, context }) => {
        const job = await detailsOf(api, viewer, jobId);
        const warnings = jobId.startsWith("se_") ? await warningsOf(api, viewer, jobId) : undefined;
        return <JobPage context={context} job={job} warnings={warnings} />;
    },
    "/jobs/:jobId/changes": async ({ api, viewer, params: { jobId = "" }, context }) => {
        const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/changes`;
        return <ChangesPage context={context} changes={await api.get(viewer, "ExportChanges", path)} />;
    },
    "/agent-jobs": (asked) => agentJobsPage(asked),
    "/agent-jobs/:projectId/:id": (asked) => agentJobPage(asked),
    "/keys": async ({ api, viewer, context, parts }) => {
        const list = await listKeys(api, viewer, context);
        const projects = ownProjects(narrowedTo(["keys"], viewer), parts.projects);
        return <KeysPage context={context} list={list} projects={projects} now={parts.clock()} />;
    },
    "/keys/:keyId/change": (asked) =>
        withActiveKey(asked, (key) => <ChangeKeyPage context={asked.context} key_={key} />),
    "/keys/:keyId/rotate": (asked) =>
        withActiveKey(asked, (key) => <RotateKeyPage context={asked.context} key_={key} />),
    "/keys/:keyId/revoke": (asked) =>
        withActiveKey(asked, async (key) => {
            const path = `/v1/keys/${encodeURIComponent(key.id)}/created?limit=${shownMadeKeys + 1}` as const;
            const { keys: made } = await asked.api.get(asked.viewer, "AdminKeyList", path);
            return <RevokeKeyPage context={asked.context} key_={key} made={made} />;
        }),
    "/jobs/:jobId/cancel": async ({ api, viewer, params, context }) => {
        const job = await detailsOf(api, viewer, params.jobId);
        const mayStillBeCancelled = isUnfinished(job) && job.cancelled !== true;
        return mayStillBeCancelled ? <CancelJobPage context={context} job={job} /> : jobPath(job);
    },
    "/sessions": async ({ api, viewer, context }) => {
        const path = withQuery("/v1/sessions", { cursor: context.query["cursor"], limit: pageSize });
        return <SessionsPage context={context} list={await api.get(viewer, "SessionList", path)} />;
    },
    "/audit": (asked) => auditPage(asked),
    "/health": async ({ api, viewer, context }) => {
        const usage = await api.get(viewer, "Usage", "/v1/usage");
        const isOperator = isUnlimited(narrowedTo(["read"], viewer));
        const service = isOperator ? await api.get(viewer, "ServiceState", "/v1/service") : undefined;
        const { workers } = isOperator ? await api.get(viewer, "Workers", "/v1/workers") : { workers: [] };
        return <HealthPage context={context} service={service} workers={workers} usage={usage} />;
    },
};

/** Adds the pages that only show something. */
export function addPageRoutes(app: App, parts: DashboardParts): void {
    const { api, base, live } = parts;
    app.get("/", { schema }, (request, reply) => reply.redirect(base() + firstSectionOf(viewerOf(request)), 303));
    for (const [path, show] of Object.entries(pages)) {
        app.get(path, { schema }, async (request, reply) => {
            const params = request.params as Asked["params"];
            const context = contextOf(parts, request);
            const shown = await show({ api, viewer: viewerOf(request), params, parts, context, reply });
            return typeof shown === "string" ? reply.redirect(base() + shown, 303) : sendPage(reply, shown);
        });
    }

    app.get("/agent-jobs/:projectId/:id/log", { schema }, async (request) => {
        const path = agentApiPath(request.params as Asked["params"]);
        const viewer = viewerOf(request);
        const { from } = queryOf(request);
        const { text, next } = await api.get(viewer, "AgentJobLog", withQuery(`${path}/log`, { from }));
        const { status } = await api.get(viewer, "AgentJob", path);
        return { html: renderToString(<TerminalText text={text} />), isEnd: text === "", next, status };
    });

    app.get("/agent-jobs/:projectId/:id/log.txt", { schema }, async (request, reply) => {
        const params = request.params as Asked["params"];
        const path = agentApiPath(params);
        const viewer = viewerOf(request);
        const read = (from: number) => api.get(viewer, "AgentJobLog", `${path}/log?from=${from}`);
        // Before the first byte, an error still becomes a page.
        const first = await read(0);
        async function* parts(): AsyncGenerator<string> {
            for (let part = first; part.text !== ""; part = await read(part.next)) {
                yield plainText(part.text);
            }
        }
        return sendLog(reply, params.id, Readable.from(parts()));
    });

    app.get("/jobs/:jobId/log.txt", { schema }, async (request, reply) => {
        const { jobId = "" } = request.params as Asked["params"];
        const { log } = await detailsOf(api, viewerOf(request), jobId);
        return sendLog(reply, jobId, log.map(({ at, message }) => `${at} ${plainText(message)}\n`).join(""));
    });

    app.get("/events", { schema, exposeHeadRoute: false, config: { isListening: true } }, (request, reply) => {
        const cookie = request.cookies[parts.cookies.name("session")] ?? "";
        if (!live.hasRoom(cookie)) {
            // Browsers do not connect again after this answer.
            void reply.code(204).send();
            return;
        }
        reply.hijack();
        reply.raw.writeHead(200, {
            "content-type": "text/event-stream",
            "cache-control": "no-store",
            // nginx would otherwise hold the events back.
            "x-accel-buffering": "no",
        });
        live.add(reply.raw, cookie);
    });
}

function sendLog(reply: FastifyReply, id: string | undefined, log: string | Readable): FastifyReply {
    const name = (id ?? "").replace(/[^\w-]/g, "");
    void reply.header("content-disposition", `attachment; filename="${name}.log"`);
    return reply.type("text/plain; charset=utf-8").send(log);
}

/** @param refused - what was typed, and why it was refused */
export async function agentJobsPage(
    { api, viewer, context, parts }: Omit<Asked, "params" | "reply">,
    refused?: Refused<PromptValues>,
): Promise<VNode> {
    const path = withQuery("/v2/agent/jobs", { cursor: context.query["cursor"], limit: pageSize });
    const list = await api.get(viewer, "AgentJobList", path);
    const projects = ownProjects(narrowedTo(["agent"], viewer), parts.projects);
    return <AgentJobsPage context={context} list={list} projects={projects} refused={refused} />;
}

/** @param refused - what was typed, and why it was refused */
export async function agentJobPage(
    { api, viewer, context, params }: Omit<Asked, "parts" | "reply">,
    refused?: Refused<PromptValues>,
): Promise<VNode> {
    const path = agentApiPath(params);
    const [job, log] = await Promise.all([
        api.get(viewer, "AgentJob", path),
        api.get(viewer, "AgentJobLog", `${path}/log?from=-${shownLogBytes}`),
    ]);
    return <AgentJobPage {...{ context, job, log, refused }} projectId={params.projectId ?? ""} />;
}

/** A page of the jobs that the filters in a page's address find. */
export function listFiltered(
    api: Pick<InternalApi, "get">,
    viewer: Caller,
    kind: "export" | "update",
    query: PageContext["query"],
    limit: string,
) {
    const { status, search, domain, error, reason, unrepeated, key, cursor, count } = query;
    const site = query["site"] && searchedHost(query["site"]);
    const path = kind === "export" ? "/v1/static-export/jobs" : "/v1/project/updates";
    return api.get(
        viewer,
        "StaticExportHistory",
        withQuery(path, {
            status,
            search,
            site,
            domain,
            error,
            reason,
            unrepeated,
            key,
            ...timesOf(query),
            cursor,
            count,
            limit,
        }),
    );
}

/** The times of a filter with days: those where the person is, if the page has sent them. */
function timesOf({ since, until, sinceAt, untilAt }: PageContext["query"]) {
    return { since: sinceAt ?? midnightOf(since), until: untilAt ?? midnightOf(until, 1) };
}

async function jobsPage(kind: "export" | "update", { api, viewer, context, reply }: Asked) {
    const query = { ...context.query, count: "true" };
    const read = () => listFiltered(api, viewer, kind, query, pageSize);
    const { list, problem } = await listOrProblem(reply, read, { jobs: [], next: null });
    return <JobsPage context={context} kind={kind} list={list} problem={problem} />;
}

async function failuresPage({ api, viewer, context, reply }: Asked): Promise<VNode> {
    const { search, site, days } = context.query;
    const path = withQuery("/v1/failures", { search, site: site && searchedHost(site), days });
    const empty = { since: "", failures: [], reasons: 0, jobs: 0, isComplete: true };
    const { list, problem } = await listOrProblem(reply, () => api.get(viewer, "FailureList", path), empty);
    return <FailuresPage context={context} list={list} problem={problem} />;
}

async function auditPage({ api, viewer, context, reply }: Asked): Promise<VNode> {
    const { actor, act, site, cursor } = context.query;
    const filters = { actor, act, site: site && searchedHost(site), ...timesOf(context.query) };
    const path = withQuery("/v1/audit", { ...filters, cursor, count: "true", limit: pageSize });
    const read = () => api.get(viewer, "AuditList", path);
    const { list, problem } = await listOrProblem(reply, read, { entries: [], next: null });
    return <AuditPage context={context} audit={list} problem={problem} />;
}

/** What a list's filters find, or why the API refuses them: the page then shows the filters again. */
async function listOrProblem<List>(
    reply: FastifyReply,
    read: () => Promise<List>,
    empty: List,
): Promise<{ list: List; problem?: string }> {
    try {
        return { list: await read() };
    } catch (error) {
        if (!(error instanceof PageError) || error.statusCode >= 500 || error.statusCode === 401) {
            throw error;
        }
        void reply.code(error.statusCode);
        return { list: empty, problem: error.message };
    }
}

/** What the service knows about an export or an update. */
export function detailsOf(api: InternalApi, viewer: Caller, jobId = "") {
    return api.get(viewer, "JobDetails", `/v1/static-export/jobs/${encodeURIComponent(jobId)}/details`);
}

/** A page of the keys that the viewer may see. */
export function listKeys(api: InternalApi, viewer: Caller, { query: { search, cursor } }: PageContext) {
    return api.get(viewer, "AdminKeyList", withQuery("/v1/keys", { search, cursor, limit: pageSize }));
}

/** A key that the viewer may see, also if it was revoked. */
export function findKey(api: InternalApi, viewer: Caller, keyId = "") {
    return api.get(viewer, "AdminKey", `/v1/keys/${encodeURIComponent(keyId)}`);
}

/** The page of a question about a key. The way back from its answer leads to the list, which says what was done. */
async function withActiveKey(
    { api, viewer, params }: Asked,
    show: (key: Answer<"AdminKey">) => VNode | Promise<VNode>,
): Promise<VNode | string> {
    const key = await findKey(api, viewer, params.keyId);
    return key.revokedAt === null ? show(key) : withQuery("/keys", { search: key.id });
}

function agentApiPath({ projectId = "", id = "" }: Asked["params"]): string {
    return `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
}

async function warningsOf(api: InternalApi, viewer: Caller, jobId: string) {
    const job = await api.get(viewer, "StaticExportJob", `/v1/static-export/jobs/${encodeURIComponent(jobId)}`);
    return job.warnings;
}

export function ownProjects({ projects: own }: Caller, projects: readonly string[]): readonly string[] {
    return projects.filter((id) => own?.includes(id) ?? true);
}

export function viewerOf({ viewer }: FastifyRequest): Caller {
    if (viewer === undefined) {
        throw new PageError(401, "Sign in first.");
    }
    return viewer;
}

/** @param days - how many days later */
function midnightOf(day: string | undefined, days = 0): string | undefined {
    // The last day that JavaScript knows has no next one.
    const midnight = new Date(Date.parse(`${day ?? ""}T00:00:00Z`) + days * dayMs);
    return day === undefined || Number.isNaN(midnight.getTime()) ? day : midnight.toISOString();
}
