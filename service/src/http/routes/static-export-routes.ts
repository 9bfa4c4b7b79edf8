import { type JobSummary, siteOf, type SiteJob } from "../../exports/site-job.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { traceParentOf } from "../../shared/traces.js";
import { type BundleLinks } from "../../storage/bundle-links.js";
import { type BundleStorage } from "../../storage/bundle-storage.js";
import { type Caller, logAct, maySee, ownerOf } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import { startAnswerHeaders, StartHeaders, StartStaticExportBody, StaticExportJobParams } from "../protocol/schemas.js";
import { type ExportDomains, findExportDomain } from "./find-export-domain.js";
import { type Queue, queueOnce } from "./queue-once.js";

interface StaticExportRoutesOptions extends Queue, ExportDomains {
    store: SiteJobStore;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    storage: BundleStorage;
    links: BundleLinks;
    linkTtlSeconds: number;
    /** The service's address for clients, without a trailing slash. */
    publicUrl: () => string;
    clock: () => number;
    logger: ServiceLogger;
}

const route = routesOf<StaticExportRoutesOptions>("Static export");

const startStaticExport = route({
    at: "POST /v1/static-export/jobs",
    operation: "start",
    scopes: ["export"],
    id: "startStaticExport",
    summary: "Start a static export job",
    request: { headers: StartHeaders, body: StartStaticExportBody },
    answer: [202, "StaticExportJob", "The job is queued.", startAnswerHeaders],
    errors: [422, 429],
    handle: async (request, context, reply) => {
        const { caller, body } = request;
        const { store, logger } = context;
        const { domain, preview } = await findExportDomain(body.domain, caller, context);
        const started = { domain, version: body.version, paths: body.paths };
        const key = request.headers["idempotency-key"];
        const what = { reply, caller, key, scope: `start ${domain}`, started, domain };
        const jobId = await queueOnce(what, context, async (transaction, expectRoom) => {
            await expectRoom();
            const job = { ...started, preview, ...ownerOf(caller), traceParent: traceParentOf(request.trace) };
            return store.create(job, transaction);
        });
        const job = bodyOf(await expectExport(jobId, caller, store));
        logAct(logger, request, `started export job ${jobId} of ${domain}`, jobId, domain);
        return job;
    },
});

const getStaticExport = route({
    at: "GET /v1/static-export/jobs/:jobId",
    operation: "get",
    scopes: ["read", "export"],
    id: "getStaticExport",
    summary: "Get a static export job's status",
    request: { params: StaticExportJobParams },
    answer: [200, "StaticExportJob", "The current state of the job."],
    errors: [404],
    handle: async ({ params, caller }, { store }) => bodyOf(await expectExport(params.jobId, caller, store)),
});

const cancelStaticExport = route({
    at: "DELETE /v1/static-export/jobs/:jobId",
    operation: "cancel",
    scopes: ["export"],
    id: "cancelStaticExport",
    summary: "Cancel a static export job",
    request: { params: StaticExportJobParams },
    answer: [200, "StaticExportJob", "The job has failed, or still runs until its worker stops."],
    errors: [404, 409],
    handle: async (request, { store, stop, logger }) => {
        const { caller } = request;
        const { jobId } = await expectExport(request.params.jobId, caller, store);
        const job = await store.cancel(jobId, `Cancelled by a client with the key ${caller.name}.`);
        if (job === undefined) {
            const { status } = await expectExport(jobId, caller, store);
            throw new RequestError(409, `Static export job ${jobId} is ${status} and cannot be cancelled.`);
        }
        await stop(jobId);
        if (!job.wasCancelledBefore) {
            logAct(logger, request, `cancelled export job ${jobId} of ${job.domain}`, jobId, job.domain);
        }
        return bodyOf(await expectExport(jobId, caller, store));
    },
});

const createStaticExportBundle = route({
    at: "POST /v1/static-export/jobs/:jobId/bundle",
    operation: "bundle",
    scopes: ["read", "export"],
    id: "createStaticExportBundle",
    summary: "Generate the bundle's presigned link",
    request: { params: StaticExportJobParams },
    answer: [200, "StaticExportBundle", "A fresh link; earlier ones keep working until they expire."],
    errors: [404, 409],
    handle: async ({ params, caller }, { store, storage, links, linkTtlSeconds, publicUrl, clock, onQueued }) => {
        const { jobId, status, sizeBytes, sha256 } = await expectExport(params.jobId, caller, store);
        if (status !== "completed" || sizeBytes === null || sha256 === null) {
            const advice = status === "failed" ? "start a new one" : "poll it until it is completed";
            throw new RequestError(409, `Static export job ${jobId} is ${status}: ${advice}.`);
        }
        const state = await storage.examine({ sha256, sizeBytes });
        if (state === "missing") {
            throw bundleGone(jobId);
        }
        if (state === "damaged") {
            await store.rebuild(jobId);
            onQueued();
            throw new RequestError(
                409,
                `The stored bundle of static export job ${jobId} is damaged, and the job runs again: poll it until it is completed.`,
            );
        }
        await store.markLinked(jobId);
        const expiresAt = new Date((Math.floor(clock() / 1000) + linkTtlSeconds) * 1000);
        return {
            jobId,
            bundleUrl: publicUrl() + links.create(jobId, expiresAt),
            sizeBytes,
            expiresAt: expiresAt.toISOString(),
        };
    },
});

export const staticExportRoutes = [startStaticExport, getStaticExport, cancelStaticExport, createStaticExportBundle];

/** @throws RequestError if there is none that the caller may see */
export async function expectExport(jobId: string, caller: Caller, store: Pick<SiteJobStore, "get">): Promise<SiteJob> {
    const job = await store.get(jobId);
    if (job?.kind !== "export" || !maySee(caller, siteOf(job))) {
        throw new RequestError(404, `There is no static export job ${jobId}.`);
    }
    return job;
}

/** The error for a job whose archive was removed from the storage. */
export function bundleGone(jobId: string): RequestError {
    return new RequestError(404, `The bundle of static export job ${jobId} is no longer stored: start a new export.`);
}

function bodyOf(job: SiteJob) {
    return { ...summaryOf(job), ...(job.warnings === null ? {} : { warnings: job.warnings }) };
}

export function summaryOf(job: JobSummary) {
    return {
        jobId: job.jobId,
        status: job.status,
        progress: job.progress,
        pageCount: job.pageCount,
        createdAt: job.createdAt.toISOString(),
        updatedAt: job.updatedAt.toISOString(),
        ...(job.sourceRef === null ? {} : { sourceRef: job.sourceRef }),
        ...(job.error === null ? {} : { error: job.error }),
    };
}
