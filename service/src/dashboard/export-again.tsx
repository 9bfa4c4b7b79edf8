import { type Caller } from "../http/protocol/caller.js";
import { type Answer } from "../http/protocol/schemas.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { onceOf } from "./form-values.js";
import { type InternalApi, PageError } from "./internal-api.js";
import { detailsOf, listFiltered, viewerOf } from "./page-routes.js";
import { ExportAgainPage, ExportedAgainPage } from "./pages/export-again-page.js";
import { mayExportAgain } from "./pages/job-parts.js";
import { contextOf, queryOf, sendPage } from "./render-page.js";

type Job = Answer<"JobDetails">;

/** So many exports start with one form. */
const maxJobs = 100;

const schema = { hide: true };

/** What an export repeats: the same input gives the same export. */
export function inputOf({ domain, version, paths }: Pick<Job, "domain" | "version" | "paths">) {
    return {
        domain,
        ...(version === null ? {} : { version }),
        ...(paths === null ? {} : { paths }),
    };
}

/** Adds the question before many failed exports are repeated, and its answer. */
export function addExportAgain(app: App, parts: DashboardParts): void {
    const { api, base } = parts;

    app.get("/jobs/again", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const { all, ...filters } = queryOf(request);
        const asked = jobsIn(request.query);
        const list = all === undefined ? undefined : await failedOf(api, viewer, filters);
        const ids = list === undefined ? asked : list.jobs.map(({ jobId }) => jobId);
        const jobs = await failedAmong(api, viewer, ids.slice(0, maxJobs));
        const hasMore = ids.length > maxJobs || (list !== undefined && list.next !== null);
        const context = contextOf(parts, request);
        return sendPage(
            reply,
            <ExportAgainPage context={context} jobs={newestOf(jobs)} of={jobs.length} hasMore={hasMore} />,
        );
    });

    app.post("/jobs/again", { schema }, async (request, reply) => {
        const viewer = viewerOf(request);
        const refused: { jobId: string; reason: string }[] = [];
        const ids = jobsIn(request.body).slice(0, maxJobs);
        for (const jobId of ids) {
            const reason = await exportAgain(api, viewer, jobId, onceOf(request).idempotencyKey);
            refused.push(...(reason === undefined ? [] : [{ jobId, reason }]));
        }
        if (refused.length === 0) {
            return reply.redirect(`${base()}/jobs`, 303);
        }
        const context = contextOf(parts, request);
        const started = ids.length - refused.length;
        return sendPage(reply, <ExportedAgainPage context={context} started={started} refused={refused} />);
    });
}

/** Starts the export of a job again. @returns why it was refused */
async function exportAgain(
    api: InternalApi,
    viewer: Caller,
    jobId: string,
    form: string | undefined,
): Promise<string | undefined> {
    try {
        const json = inputOf(await detailsOf(api, viewer, jobId));
        const once = form === undefined ? {} : { idempotencyKey: `${form}.${jobId}` };
        await api.call(viewer, "StaticExportJob", "POST /v1/static-export/jobs", { json, ...once });
        return undefined;
    } catch (error) {
        if (error instanceof PageError && error.statusCode < 500) {
            return error.message;
        }
        throw error;
    }
}

function failedOf(api: InternalApi, viewer: Caller, filters: Readonly<Record<string, string | undefined>>) {
    const { cursor: _cursor, ...wanted } = filters;
    return listFiltered(api, viewer, "export", { ...wanted, status: "failed" }, String(maxJobs));
}

/** Those exports that have failed, and that the viewer may start. */
async function failedAmong(api: InternalApi, viewer: Caller, ids: readonly string[]): Promise<Job[]> {
    const jobs: Job[] = [];
    for (const jobId of new Set(ids)) {
        const job = await detailsOf(api, viewer, jobId).catch((error: unknown) => {
            if (error instanceof PageError && error.statusCode === 404) {
                return undefined;
            }
            throw error;
        });
        if (job !== undefined && mayExportAgain(viewer, job)) {
            jobs.push(job);
        }
    }
    return jobs;
}

/** The first job of each input, of jobs that are sorted by their age. */
function newestOf(jobs: readonly Job[]): Job[] {
    const known = new Map<string, Job>();
    for (const job of jobs) {
        const input = JSON.stringify(inputOf(job));
        known.set(input, known.get(input) ?? job);
    }
    return [...known.values()];
}

function jobsIn(sent: unknown): string[] {
    const { job } = (sent ?? {}) as { job?: unknown };
    return [job ?? []].flat().filter((id): id is string => typeof id === "string");
}
