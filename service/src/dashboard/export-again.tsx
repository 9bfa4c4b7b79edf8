import { requestOf } from "../exports/site-job.js";
import { reasonOf } from "../history/failure-reasons.js";
import { type Caller } from "../http/protocol/caller.js";
import { type Answer } from "../http/protocol/schemas.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { onceOf } from "./form-values.js";
import { type InternalApi, PageError } from "./internal-api.js";
import { detailsOf, listFiltered, viewerOf } from "./page-routes.js";
import { ExportAgainPage, ExportedAgainPage, type Refusal, type RepeatedJob } from "./pages/export-again-page.js";
import { mayExportAgain } from "./pages/job-parts.js";
import { contextOf, queryOf, sendPage } from "./render-page.js";

type Job = Answer<"JobDetails">;

/** So many exports start with one form. */
const maxJobs = 100;
/** So many pages of failed exports are read to find those that the viewer may start. */
const maxPages = 20;
/** After this time, the answer says how many have started: proxies wait for an answer for a minute only. */
const maxStartsMs = 15_000;

const noTime = `One form starts exports for ${maxStartsMs / 1000} seconds at most.`;

const schema = { hide: true };

/** What an export repeats: the same input gives the same export. */
export function inputOf(job: Parameters<typeof requestOf>[0] & Pick<Job, "domain">) {
    return { domain: job.domain, ...requestOf(job) };
}

/** Adds the question before many failed exports are repeated, and its answer. */
export function addExportAgain(app: App, parts: DashboardParts): void {
    const { api, base, clock } = parts;

    app.get("/jobs/again", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const { all, ...filters } = queryOf(request);
        const asked = jobsIn(request.query);
        const { jobs, hasMore } =
            all === undefined
                ? { jobs: await failedAmong(api, viewer, asked.slice(0, maxJobs)), hasMore: asked.length > maxJobs }
                : await failedOf(api, viewer, filters);
        return sendPage(reply, <ExportAgainPage context={contextOf(parts, request)} jobs={jobs} hasMore={hasMore} />);
    });

    app.post("/jobs/again", { schema }, async (request, reply) => {
        const ids = jobsIn(request.body).slice(0, maxJobs);
        const start = (jobId: string) => exportAgain(api, viewerOf(request), jobId, onceOf(request).idempotencyKey);
        const { started, refusals } = await startAll(ids, start, clock);
        if (refusals.length === 0) {
            return reply.redirect(`${base()}/jobs`, 303);
        }
        const context = contextOf(parts, request);
        return sendPage(reply, <ExportedAgainPage context={context} started={started} refusals={refusals} />);
    });
}

/** Starts one export after the other, until the time is over. Groups those that did not start by the reason. */
async function startAll(
    ids: readonly string[],
    start: (jobId: string) => Promise<Omit<Refusal, "jobs"> | undefined>,
    clock: () => number,
): Promise<{ started: number; refusals: Refusal[] }> {
    const endsAt = clock() + maxStartsMs;
    const refusals = new Map<string, Refusal & { jobs: string[] }>();
    let started = 0;
    for (const jobId of ids) {
        const refusal = clock() < endsAt ? await start(jobId) : { reason: noTime, isFinal: false };
        if (refusal === undefined) {
            started += 1;
            continue;
        }
        const { reason, isFinal } = refusal;
        // The numbers of waiting jobs differ. Every other reason is true of its job only, for example of its site.
        const group = isFinal ? reason : reasonOf(reason);
        const known = refusals.get(group) ?? { reason, isFinal, jobs: [] };
        known.jobs.push(jobId);
        refusals.set(group, known);
    }
    return { started, refusals: [...refusals.values()] };
}

/** Starts the export of a job again. @returns why it was refused */
async function exportAgain(
    api: InternalApi,
    viewer: Caller,
    jobId: string,
    form: string | undefined,
): Promise<Omit<Refusal, "jobs"> | undefined> {
    try {
        const json = inputOf(await detailsOf(api, viewer, jobId));
        const once = form === undefined ? {} : { idempotencyKey: `${form}.${jobId}` };
        await api.call(viewer, "StaticExportJob", "POST /v1/static-export/jobs", { json, ...once });
        return undefined;
    } catch (error) {
        if (error instanceof PageError && error.statusCode < 500) {
            // The queue may have room later.
            return { reason: error.message, isFinal: error.statusCode !== 429 };
        }
        throw error;
    }
}

/** The failed exports of a filter that the viewer may start, and that nobody has repeated since. */
async function failedOf(
    api: Pick<InternalApi, "get">,
    viewer: Caller,
    filters: Readonly<Record<string, string | undefined>>,
) {
    const query = { ...filters, status: "failed", unrepeated: "true" };
    const found: Answer<"StaticExportHistory">["jobs"] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
        const { jobs, next } = await listFiltered(api, viewer, "export", { ...query, cursor }, String(maxJobs));
        found.push(...jobs.filter((job) => mayExportAgain(viewer, job)));
        cursor = next ?? undefined;
        pages += 1;
    } while (cursor !== undefined && found.length < maxJobs && pages < maxPages);
    const hasMore = found.length > maxJobs || (cursor !== undefined && found.length > 0);
    return { jobs: found.slice(0, maxJobs), hasMore };
}

/** Those exports that have failed, and that the viewer may start: one for each input. */
async function failedAmong(api: InternalApi, viewer: Caller, ids: readonly string[]): Promise<RepeatedJob[]> {
    const jobs = new Map<string, Job>();
    for (const jobId of new Set(ids)) {
        const job = await detailsOf(api, viewer, jobId).catch((error: unknown) => {
            if (error instanceof PageError && error.statusCode === 404) {
                return undefined;
            }
            throw error;
        });
        const input = job === undefined ? "" : JSON.stringify(inputOf(job));
        if (job !== undefined && mayExportAgain(viewer, job) && !jobs.has(input)) {
            jobs.set(input, job);
        }
    }
    return [...jobs.values()];
}

function jobsIn(sent: unknown): string[] {
    const { job } = (sent ?? {}) as { job?: unknown };
    return [job ?? []].flat().filter((id): id is string => typeof id === "string");
}
