import { type BundleLinks } from "../../storage/bundle-links.js";
import { type BundleStorage } from "../../storage/bundle-storage.js";
import { canonicalDomain } from "@pulumi-static-export/contract";
import { type ServiceLogger } from "../../shared/logger.js";
import { traceParentOf } from "../../shared/traces.js";
import { type SqlClient } from "../../database/database.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { type Preview, siteOf, type StaticExportJob } from "../../exports/static-export-job.js";
import { type Site } from "../../exports/site.js";
import { type StaticExportStore } from "../../exports/static-export-store.js";
import { findPreviewedSite, type PreviewDomains } from "../../updates/previews.js";
import { type Caller, describeKey, describeReach, maySee, ownerOf } from "../protocol/caller.js";
import { startOnce } from "./idempotency.js";
import { assertQueueHasRoom, type QueueLimits } from "./queue-limits.js";
import { aboutRequest } from "../protocol/about-request.js";
import { RequestError } from "../protocol/request-error.js";
import {
    errorAnswers,
    ListStaticExportsQuery,
    Shared,
    startAnswerHeaders,
    StartHeaders,
    StartStaticExportBody,
    StaticExportJobParams,
} from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";

export interface StaticExportRoutesOptions extends QueueLimits {
    store: StaticExportStore;
    /** Called when a job is queued. */
    onQueued: () => void;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    keys: IdempotencyKeys;
    storage: BundleStorage;
    links: BundleLinks;
    /** The sites that can be exported, by canonical domain. */
    sites: ReadonlyMap<string, Site>;
    previewDomains: PreviewDomains;
    linkTtlSeconds: number;
    /** The service's address for clients, without a trailing slash. */
    publicUrl: () => string;
    clock: () => number;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Static export"];

const defaultListLimit = 20;

export function addStaticExportRoutes(app: App, options: StaticExportRoutesOptions): void {
    const { store, onQueued, stop, keys, storage, links, sites, previewDomains, ...rest } = options;
    const { linkTtlSeconds, publicUrl, clock, logger } = rest;

    const expectJob = async (jobId: string, caller: Caller): Promise<StaticExportJob> => {
        const job = await store.get(jobId);
        if (job?.kind !== "export" || !maySee(caller, siteOf(job))) {
            throw new RequestError(404, `There is no static export job ${jobId}.`);
        }
        return job;
    };

    const expectDomain = async (name: string, caller: Caller): Promise<{ domain: string; preview?: Preview }> => {
        const domain = canonicalDomain(name);
        const own = [...sites.keys()].filter((each) => maySee(caller, each));
        if (own.length === 0) {
            throw new RequestError(403, describeReach(caller));
        }
        if (own.includes(domain)) {
            return { domain };
        }
        const site = findPreviewedSite(domain, previewDomains);
        if (site === undefined || !own.includes(site)) {
            throw new RequestError(
                403,
                `Static export is not enabled for ${domain}. The enabled domains are: ${nameSome(own)}.`,
            );
        }
        const preview = await store.findPreview(domain);
        if (preview?.of !== site) {
            const reason = `No preview of a branch of ${site} has succeeded for ${domain}.`;
            throw new RequestError(403, `${reason} Start one with POST /v1/project/preview/${site}, and wait for it.`);
        }
        return { domain, preview };
    };

    app.post(
        "/v1/static-export/jobs",
        {
            config: { operation: "start", scopes: ["export"] },
            schema: {
                operationId: "startStaticExport",
                summary: "Start a static export job",
                tags,
                security,
                headers: StartHeaders,
                body: StartStaticExportBody,
                response: {
                    202: Shared("StaticExportJob", "The job is queued.", startAnswerHeaders),
                    ...errorAnswers(400, 401, 403, 413, 415, 422, 429, 500, 503),
                },
            },
        },
        async (request, reply) => {
            const { domain, preview } = await expectDomain(request.body.domain, request.caller);
            const { version, paths } = request.body;
            const started = { domain, version, paths };
            const start = async (transaction: SqlClient): Promise<string> => {
                await assertQueueHasRoom(store, { domain, caller: request.caller }, options, reply, transaction);
                const traceParent = traceParentOf(request.trace);
                const job = { ...started, preview, ...ownerOf(request.caller), traceParent };
                return (await store.create(job, transaction)).jobId;
            };
            const hasJob = async (known: string, transaction: SqlClient): Promise<boolean> =>
                (await store.get(known, transaction)) !== undefined;
            const what = { request, reply, scope: `start ${domain}`, started };
            const jobId = await startOnce(keys, what, { start, hasJob });
            const job = bodyOf(await expectJob(jobId, request.caller));
            onQueued();
            logger.info(
                `${describeKey(request.caller)} started export job ${jobId} of ${domain}.`,
                aboutRequest(request, jobId),
            );
            void reply.code(202);
            return job;
        },
    );

    app.get(
        "/v1/static-export/jobs",
        {
            config: { operation: "list", scopes: ["read", "export"] },
            schema: {
                operationId: "listStaticExports",
                summary: "List a domain's static export jobs",
                tags,
                security,
                querystring: ListStaticExportsQuery,
                response: {
                    200: Shared("StaticExportHistory", "The jobs that are still kept, the newest first."),
                    ...errorAnswers(400, 401, 403, 500, 503),
                },
            },
        },
        async (request) => {
            const { domain, limit = defaultListLimit } = request.query;
            const expected = await expectDomain(domain, request.caller);
            const jobs = await store.list(expected.domain, Number(limit));
            return { jobs: jobs.map(recordOf) };
        },
    );

    app.get(
        "/v1/static-export/jobs/:jobId",
        {
            config: { operation: "get", scopes: ["read", "export"] },
            schema: {
                operationId: "getStaticExport",
                summary: "Get a static export job's status",
                tags,
                security,
                params: StaticExportJobParams,
                response: {
                    200: Shared("StaticExportJob", "The current state of the job."),
                    ...errorAnswers(401, 403, 404, 500, 503),
                },
            },
        },
        async (request) => bodyOf(await expectJob(request.params.jobId, request.caller)),
    );

    app.delete(
        "/v1/static-export/jobs/:jobId",
        {
            config: { operation: "cancel", scopes: ["export"] },
            schema: {
                operationId: "cancelStaticExport",
                summary: "Cancel a static export job",
                tags,
                security,
                params: StaticExportJobParams,
                response: {
                    200: Shared("StaticExportJob", "The job has failed, or still runs until its worker stops."),
                    ...errorAnswers(401, 403, 404, 409, 500, 503),
                },
            },
        },
        async (request) => {
            const { jobId } = await expectJob(request.params.jobId, request.caller);
            const job = await store.cancel(jobId, `Cancelled by a client with the key ${request.caller.name}.`);
            if (job === undefined) {
                const { status } = await expectJob(jobId, request.caller);
                throw new RequestError(409, `Static export job ${jobId} is ${status} and cannot be cancelled.`);
            }
            await stop(jobId);
            logger.info(
                `${describeKey(request.caller)} cancelled export job ${jobId} of ${job.domain}.`,
                aboutRequest(request, jobId),
            );
            return bodyOf(await expectJob(jobId, request.caller));
        },
    );

    app.post(
        "/v1/static-export/jobs/:jobId/bundle",
        {
            config: { operation: "bundle", scopes: ["read", "export"] },
            schema: {
                operationId: "createStaticExportBundle",
                summary: "Generate the bundle's presigned link",
                tags,
                security,
                params: StaticExportJobParams,
                response: {
                    200: Shared("StaticExportBundle", "A fresh link; earlier ones keep working until they expire."),
                    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 500, 503),
                },
            },
        },
        async (request) => {
            const { jobId, status, sizeBytes, sha256 } = await expectJob(request.params.jobId, request.caller);
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
    );
}

const namedSites = 20;

/** Names only the first sites, so that the size of an answer does not depend on the number of sites. */
function nameSome(domains: readonly string[]): string {
    const others = domains.length - namedSites;
    return others > 0 ? `${domains.slice(0, namedSites).join(", ")} and ${others} others` : domains.join(", ");
}

/** The error for a job whose archive was removed from the storage. */
export function bundleGone(jobId: string): RequestError {
    return new RequestError(404, `The bundle of static export job ${jobId} is no longer stored: start a new export.`);
}

function bodyOf(job: StaticExportJob) {
    return { ...summaryOf(job), ...(job.warnings === null ? {} : { warnings: job.warnings }) };
}

function recordOf(job: StaticExportJob) {
    return { ...summaryOf(job), version: job.version, sizeBytes: job.sizeBytes, sha256: job.sha256 };
}

function summaryOf(job: StaticExportJob) {
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
