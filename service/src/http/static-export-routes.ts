import { type BundleLinks } from "../bundles/bundle-links.js";
import { type BundleStorage } from "../bundles/bundle-storage.js";
import { canonicalDomain } from "../domain.js";
import { type ExportQueue } from "../export/export-queue.js";
import { type StaticExportJob, type StaticExportStore } from "../store/static-export-store.js";
import { type App } from "./app.js";
import { RequestError } from "./request-error.js";
import { errorAnswers, Shared, StartStaticExportBody, StaticExportJobParams } from "./schemas.js";

export interface StaticExportRoutesOptions {
    store: StaticExportStore;
    queue: ExportQueue;
    storage: BundleStorage;
    links: BundleLinks;
    /** Canonical domains for which static export is enabled. */
    domains: readonly string[];
    linkTtlSeconds: number;
    /** The address under which clients reach the service, without a trailing slash. */
    publicUrl: () => string;
    clock: () => number;
}

const security = [{ adminApiKey: [] }];
const tags = ["Static export"];

export function addStaticExportRoutes(app: App, options: StaticExportRoutesOptions): void {
    const { store, queue, storage, links, domains, linkTtlSeconds, publicUrl, clock } = options;

    const expectJob = (jobId: string): StaticExportJob => {
        const job = store.get(jobId);
        if (job === undefined) {
            throw new RequestError(404, `There is no static export job ${jobId}.`);
        }
        return job;
    };

    app.post(
        "/v1/static-export/jobs",
        {
            config: { operation: "start" },
            schema: {
                operationId: "startStaticExport",
                summary: "Start a static export job",
                tags,
                security,
                body: StartStaticExportBody,
                response: {
                    202: Shared("StaticExportJob", "The job is queued."),
                    ...errorAnswers(400, 401, 403, 413, 415, 500),
                },
            },
        },
        (request, reply) => {
            const domain = canonicalDomain(request.body.domain);
            if (!domains.includes(domain)) {
                throw new RequestError(
                    403,
                    `Static export is not enabled for ${domain}. It is for: ${domains.join(", ")}.`,
                );
            }
            const { version, paths } = request.body;
            const job = store.create({ domain, version, paths });
            queue.wake();
            void reply.code(202);
            return bodyOf(job);
        },
    );

    app.get(
        "/v1/static-export/jobs/:jobId",
        {
            config: { operation: "get" },
            schema: {
                operationId: "getStaticExport",
                summary: "Get a static export job's status",
                tags,
                security,
                params: StaticExportJobParams,
                response: { 200: Shared("StaticExportJob", "The job as it is now."), ...errorAnswers(401, 404, 500) },
            },
        },
        (request) => bodyOf(expectJob(request.params.jobId)),
    );

    app.post(
        "/v1/static-export/jobs/:jobId/bundle",
        {
            config: { operation: "bundle" },
            schema: {
                operationId: "createStaticExportBundle",
                summary: "Generate the bundle's presigned link",
                tags,
                security,
                params: StaticExportJobParams,
                response: {
                    200: Shared("StaticExportBundle", "A fresh link; earlier ones keep working until they expire."),
                    ...errorAnswers(400, 401, 404, 409, 413, 415, 500),
                },
            },
        },
        async (request) => {
            const { jobId, status, sizeBytes, sha256 } = expectJob(request.params.jobId);
            if (status !== "completed" || sizeBytes === null || sha256 === null) {
                const advice = status === "failed" ? "start a new one" : "poll it until it is completed";
                throw new RequestError(409, `Static export job ${jobId} is ${status}: ${advice}.`);
            }
            if (!(await storage.has(sha256))) {
                throw bundleGone(jobId);
            }
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

/** Somebody removed the archive from the data folder. */
export function bundleGone(jobId: string): RequestError {
    return new RequestError(404, `The bundle of static export job ${jobId} is no longer stored: start a new export.`);
}

function bodyOf(job: StaticExportJob) {
    return {
        jobId: job.jobId,
        status: job.status,
        progress: job.progress,
        pageCount: job.pageCount,
        createdAt: job.createdAt.toISOString(),
        updatedAt: job.updatedAt.toISOString(),
        ...(job.error === null ? {} : { error: job.error }),
    };
}
