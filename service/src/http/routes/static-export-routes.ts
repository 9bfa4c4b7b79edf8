import { type BundleLinks } from "../../storage/bundle-links.js";
import { type BundleStorage } from "../../storage/bundle-storage.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { traceParentOf } from "../../shared/traces.js";
import { type SqlClient } from "../../database/database.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { siteOf, type StaticExportJob } from "../../exports/static-export-job.js";
import { type Caller, describeKey, maySee, ownerOf } from "../protocol/caller.js";
import { type ExportDomains, findExportDomain } from "./find-export-domain.js";
import { startOnce } from "./idempotency.js";
import { assertQueueHasRoom, type QueueLimits } from "./queue-limits.js";
import { aboutRequest } from "../protocol/about-request.js";
import { RequestError } from "../protocol/request-error.js";
import {
    errorAnswers,
    Shared,
    startAnswerHeaders,
    StartHeaders,
    StartStaticExportBody,
    StaticExportJobParams,
} from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";

export interface StaticExportRoutesOptions extends QueueLimits, ExportDomains {
    /** Called when a job is queued. */
    onQueued: () => void;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    keys: IdempotencyKeys;
    storage: BundleStorage;
    links: BundleLinks;
    linkTtlSeconds: number;
    /** The service's address for clients, without a trailing slash. */
    publicUrl: () => string;
    clock: () => number;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Static export"];

export function addStaticExportRoutes(app: App, options: StaticExportRoutesOptions): void {
    const { store, onQueued, stop, keys, storage, links, ...rest } = options;
    const { linkTtlSeconds, publicUrl, clock, logger } = rest;

    const expectJob = async (jobId: string, caller: Caller): Promise<StaticExportJob> => {
        const job = await store.get(jobId);
        if (job?.kind !== "export" || !maySee(caller, siteOf(job))) {
            throw new RequestError(404, `There is no static export job ${jobId}.`);
        }
        return job;
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
            const { domain, preview } = await findExportDomain(request.body.domain, request.caller, options);
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
                aboutRequest(request, jobId, domain),
            );
            void reply.code(202);
            return job;
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
            if (!job.wasCancelledBefore) {
                logger.info(
                    `${describeKey(request.caller)} cancelled export job ${jobId} of ${job.domain}.`,
                    aboutRequest(request, jobId, job.domain),
                );
            }
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

/** The error for a job whose archive was removed from the storage. */
export function bundleGone(jobId: string): RequestError {
    return new RequestError(404, `The bundle of static export job ${jobId} is no longer stored: start a new export.`);
}

function bodyOf(job: StaticExportJob) {
    return { ...summaryOf(job), ...(job.warnings === null ? {} : { warnings: job.warnings }) };
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
