import { exportRequestOf } from "@pulumi-static-export/contract";
import { toOneLine } from "@pulumi-static-export/exporter";
import { siteOf, type SiteJob } from "../../exports/site-job.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { type AuditLog } from "../../history/audit-log.js";
import { traceParentOf } from "../../shared/traces.js";
import { type BundleLinks } from "../../storage/bundle-links.js";
import { type BundleStorage } from "../../storage/bundle-storage.js";
import { type Caller, isPerson, logAct, maySee } from "../protocol/caller.js";
import { answerFrom } from "../protocol/job-answers.js";
import { CancelQuery } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import {
    type Answer,
    startAnswerHeaders,
    StartHeaders,
    StartStaticExportBody,
    StaticExportJobBody,
    StaticExportJobParams,
} from "../protocol/schemas.js";
import { type ExportDomains, findExportDomain } from "./find-export-domain.js";
import { type Queue, queueOnce } from "./queue-once.js";
import { logOnce } from "./start-once.js";

interface StaticExportRoutesOptions extends Queue, ExportDomains {
    store: SiteJobStore;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    bundles: BundleStorage;
    links: BundleLinks;
    linkTtlSeconds: number;
    /** The service's address for clients, without a trailing slash. */
    publicUrl: () => string;
    clock: () => number;
    audit: AuditLog;
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
        const { store, audit } = context;
        const { domain, preview } = await findExportDomain(body.domain, caller, context);
        const started = { ...exportRequestOf(body), domain };
        const key = request.headers["idempotency-key"];
        const what = { reply, key, scope: `start ${domain}`, started, domain };
        const jobId = await queueOnce(what, context, async (transaction, expectRoom) => {
            await expectRoom();
            const traceParent = traceParentOf(request.trace);
            return store.create({ ...started, preview, queuedBy: caller.id, traceParent }, transaction);
        });
        logOnce(reply, audit, request, `started export job ${jobId} of ${domain}`, jobId, domain);
        return bodyOf(await expectExport(jobId, caller, store));
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
    request: { params: StaticExportJobParams, querystring: CancelQuery },
    answer: [200, "StaticExportJob", "The job has failed, or keeps running until its worker stops."],
    errors: [404, 409],
    handle: async (request, { store, stop, audit }) => {
        const { caller, query } = request;
        const { jobId } = await expectExport(request.params.jobId, caller, store);
        const why = toOneLine(query.reason ?? "").trim();
        const who = isPerson(caller) ? caller.name : `a client with the key ${caller.name}`;
        const job = await store.cancel(jobId, `Cancelled by ${who}${why === "" ? "." : `: ${why}`}`);
        if (job === undefined) {
            const { status } = await expectExport(jobId, caller, store);
            throw new RequestError(409, `Static export job ${jobId} is ${status} and cannot be cancelled.`);
        }
        if (!job.wasCancelledBefore) {
            logAct(audit, request, `cancelled export job ${jobId} of ${job.domain}`, jobId, job.domain);
        }
        await stop(jobId);
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
    handle: async (request, { store, bundles, links, linkTtlSeconds, publicUrl, clock, onQueued, audit }) => {
        const { params, caller } = request;
        const { jobId, domain, status, sizeBytes, sha256 } = await expectExport(params.jobId, caller, store);
        if (status !== "completed" || sizeBytes === null || sha256 === null) {
            const advice = status === "failed" ? "start a new one" : "poll it until it is completed";
            throw new RequestError(409, `Static export job ${jobId} is ${status}: ${advice}.`);
        }
        const state = await bundles.examine({ sha256, sizeBytes });
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
        logAct(audit, request, `got a link to the bundle of export job ${jobId} of ${domain}`, jobId, domain);
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
    return answerFrom<Answer<"StaticExportJob">>(StaticExportJobBody, { ...job, cancelled: job.isCancelled || null });
}
