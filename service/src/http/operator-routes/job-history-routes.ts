import { type Static } from "typebox";
import { canonicalDomain } from "@pulumi-static-export/contract";
import { type JobSummary, siteOf, type SiteJob, type SiteJobKind } from "../../exports/site-job.js";
import { failuresWithReason, groupFailures } from "../../history/failures.js";
import { type JobFilter } from "../../history/job-conditions.js";
import { type JobDetails, type JobHistory } from "../../history/job-history.js";
import { type SiteOverview } from "../../history/site-overview.js";
import { dayMs } from "../../shared/day-ms.js";
import { type JobPhase } from "../../jobs/job-log.js";
import { type Caller, maySee, scopesToSee } from "../protocol/caller.js";
import { ListFailuresQuery, ListJobsQuery } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import { searchedHost } from "../protocol/searched-host.js";
import { StaticExportJobParams } from "../protocol/schemas.js";
import { type ExportDomains, findExportDomain } from "../routes/find-export-domain.js";
import { type JobStarters } from "./job-starters.js";

interface JobHistoryRoutesOptions extends ExportDomains {
    history: JobHistory;
    overview: SiteOverview;
    answers: JobStarters;
    clock: () => number;
}

const defaultLimit = 20;

type Query = Static<typeof ListJobsQuery>;

const listStaticExports = routesOf<JobHistoryRoutesOptions>("Static export")({
    at: "GET /v1/static-export/jobs",
    operation: "list",
    scopes: scopesToSee.export,
    id: "listStaticExports",
    summary: "List static export jobs of one domain, or of all domains of the key",
    request: { querystring: ListJobsQuery },
    answer: [200, "StaticExportHistory", "The jobs that are still kept, the newest first."],
    handle: ({ query, caller }, context) => list("export", query, caller, context),
});

const listDocumentationUpdates = routesOf<JobHistoryRoutesOptions>("Documentation updates")({
    at: "GET /v1/project/updates",
    operation: "update-list",
    scopes: scopesToSee.update,
    id: "listDocumentationUpdates",
    summary: "List documentation updates",
    request: { querystring: ListJobsQuery },
    answer: [200, "StaticExportHistory", "The updates that are still kept, the newest first."],
    handle: ({ query, caller }, context) => list("update", query, caller, context),
});

const getJobDetails = routesOf<JobHistoryRoutesOptions>("Static export")({
    at: "GET /v1/static-export/jobs/:jobId/details",
    operation: "details",
    scopes: ["read", "export"],
    id: "getJobDetails",
    summary: "Get the key, the log and the phases of an export job or a documentation update",
    request: { params: StaticExportJobParams },
    answer: [200, "JobDetails", "What is known about the job."],
    errors: [404],
    handle: async ({ params: { jobId }, caller }, { store, history, overview, answers, clock }) => {
        const job = await store.get(jobId);
        const details = await history.details(jobId);
        if (job === undefined || details === undefined || !maySee(caller, siteOf(job))) {
            throw new RequestError(404, `There is no job ${jobId}.`);
        }
        const [answer] = await answers.of([job]);
        return {
            ...(answer as NonNullable<typeof answer>),
            paths: job.paths === null ? null : [...job.paths],
            worker: details.worker,
            ...(job.status === "queued" ? waitingOf(job, await overview.unfinished()) : {}),
            attempts: job.attempt,
            ...(details.cancellation === null ? {} : { cancellation: details.cancellation }),
            ...(job.commitDetails === null ? {} : { commit: job.commitDetails }),
            phases: phasesOf(job, details, clock()),
            log: details.log.map(({ at, attempt, message }) => ({ at: at.toISOString(), attempt, message })),
        };
    },
});

const listFailures = routesOf<JobHistoryRoutesOptions>("Static export")({
    at: "GET /v1/failures",
    operation: "failures",
    scopes: scopesToSee.export,
    id: "listFailures",
    summary: "Group failed exports and documentation updates by site and reason",
    request: { querystring: ListFailuresQuery },
    answer: [200, "FailureList", "The failures that are still kept. Cancelled jobs are not among them."],
    handle: async ({ query, caller }, { history, overview, clock }) => {
        const { site, search = "", days = "7" } = query;
        const since = new Date(clock() - Number(days) * dayMs);
        const sites = await sitesWith(site, caller, overview);
        const filter = { sites, since, ...(search.trim() === "" ? {} : { error: search.trim() }) };
        const { groups, count, isComplete } = await groupFailures(history, ["export", "update"], filter);
        return {
            since: since.toISOString(),
            failures: groups.slice(0, maxGroups).map((group) => ({
                ...group,
                firstAt: group.firstAt.toISOString(),
                lastAt: group.lastAt.toISOString(),
            })),
            reasons: groups.length,
            jobs: count,
            isComplete,
        };
    },
});

const maxGroups = 200;

/** The lists of jobs over all sites, and the details of one job. */
export const jobHistoryRoutes = [listStaticExports, listDocumentationUpdates, listFailures, getJobDetails];

async function list(kind: SiteJobKind, query: Query, caller: Caller, context: JobHistoryRoutesOptions) {
    const { history, overview, answers } = context;
    const domain = query.domain === undefined ? undefined : await findListedDomain(query.domain, caller, context);
    const sites = await sitesOf(query.site, caller, overview);
    const text = query.search?.trim() ?? "";
    const search = text === "" ? {} : { search: { text, domains: await overview.domainsWith(searchedHost(text)) } };
    const filter = { kind, sites, ...filterOf(query, domain), ...search };
    if (query.reason !== undefined) {
        const { jobs, next = null, count } = await failuresWithReason(history, query.reason, filter);
        const total = query.count === undefined ? {} : { total: count };
        return { jobs: await answers.of(jobs), ...total, next: next === null ? null : String(next) };
    }
    const page = await history.list(filter);
    return {
        jobs: await answers.of(page.jobs),
        ...(query.count === undefined ? {} : { total: await history.count(filter) }),
        next: page.next === undefined ? null : String(page.next),
    };
}

/** The sites whose jobs a request asks for; null for all. A site that the caller may not see has none. */
async function sitesOf(site: string | undefined, caller: Caller, overview: SiteOverview) {
    const domain = site === undefined ? undefined : canonicalDomain(site);
    return domain === undefined ? overview.domainsOf(caller.domains) : maySee(caller, domain) ? [domain] : [];
}

/** The site of a filter, or all sites whose domains contain its text; null for all. */
async function sitesWith(text: string | undefined, caller: Caller, overview: SiteOverview) {
    const searched = text === undefined ? "" : searchedHost(text);
    if (searched === "" || (await overview.hasJobsOf(searched))) {
        return sitesOf(searched || undefined, caller, overview);
    }
    return (await overview.domainsWith(searched)).filter((domain) => maySee(caller, domain));
}

/** A domain that can be exported, or one that was removed and still has jobs. */
async function findListedDomain(name: string, caller: Caller, context: JobHistoryRoutesOptions): Promise<string> {
    const domain = canonicalDomain(name);
    const isGone = !context.sites.has(domain) && maySee(caller, domain) && (await context.overview.hasJobsOf(domain));
    return isGone ? domain : (await findExportDomain(name, caller, context)).domain;
}

function filterOf(query: Query, domain: string | undefined): Omit<JobFilter, "kind" | "sites"> {
    const { status, key, error = "", unrepeated, since, until, limit = defaultLimit, cursor } = query;
    return {
        ...(domain === undefined ? {} : { domain: canonicalDomain(domain) }),
        ...(status === undefined ? {} : { statuses: status.split(",") as NonNullable<JobFilter["statuses"]> }),
        ...(key === undefined ? {} : { queuedBy: key === "service" ? null : key }),
        ...(error.trim() === "" ? {} : { error: error.trim() }),
        ...(unrepeated === undefined ? {} : { isUnrepeated: true }),
        ...(since === undefined ? {} : { since: new Date(since) }),
        ...(until === undefined ? {} : { until: new Date(until) }),
        ...(cursor === undefined ? {} : { before: Number(cursor) }),
        limit: Number(limit),
    };
}

/** The place of a job in the queue; nothing if it has begun in the meantime. */
function waitingOf({ jobId, domain }: SiteJob, unfinished: readonly JobSummary[]) {
    // The oldest first.
    const queued = unfinished.filter(({ status }) => status === "queued");
    const longer = queued.findIndex((job) => job.jobId === jobId);
    const behind = unfinished.find((job) => job.status === "running" && job.domain === domain)?.jobId;
    return longer < 0 ? {} : { waiting: { longer, all: queued.length, ...(behind === undefined ? {} : { behind }) } };
}

/** The steps of the last run, of which each ends when the next one begins. */
function phasesOf(job: SiteJob, { log }: JobDetails, now: number) {
    const lines = log.filter(({ attempt }) => attempt === job.attempt);
    const hasEnded = job.status === "completed" || job.status === "failed";
    const begun: { name: "queue" | JobPhase; at: Date }[] = [
        ...(job.attempt > 1 ? [] : [{ name: "queue" as const, at: job.createdAt }]),
        ...lines.flatMap(({ phase, at }) => (phase === undefined ? [] : [{ name: phase, at }])),
    ];
    const end = hasEnded ? job.updatedAt : new Date(now);
    return begun.map(({ name, at }, index) => ({
        name,
        startedAt: at.toISOString(),
        durationMs: Math.max(0, (begun[index + 1]?.at ?? end).getTime() - at.getTime()),
    }));
}
