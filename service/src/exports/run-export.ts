import { type DeploymentType } from "@pulumi-static-export/contract";
import {
    type Exporter,
    type ExportRequest,
    type ExportResult,
    type PrivatePages,
} from "@pulumi-static-export/exporter";
import { type BundleStorage } from "../storage/bundle-storage.js";
import { type WorkFolders } from "../storage/work-folders.js";
import { type FaultSchedule } from "../faults/fault-schedule.js";
import { type Attempt } from "../jobs/run.js";
import { type ServiceLogger } from "../shared/logger.js";
import { traced } from "../shared/traces.js";
import { type ExportAttempts } from "./export-attempts.js";
import { type StaticExportJob } from "./static-export-job.js";
import { type Site } from "./site.js";
import { type SiteRepositories } from "./site-checkouts.js";

/** What all exports of a service share. */
export interface ExportContext {
    attempts: ExportAttempts;
    storage: BundleStorage;
    folders: WorkFolders;
    exporter: Exporter;
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    repositories: SiteRepositories;
    /** Holds secrets, so no export publishes anything in it. */
    dataDir: string;
    /** Whether warnings fail a job. @default false */
    strict?: boolean | undefined;
    deployment?: DeploymentType | undefined;
    acknowledgeTryIt?: boolean | undefined;
    privatePages?: PrivatePages | undefined;
    faults: FaultSchedule;
    logger: ServiceLogger;
}

/**
 * Runs one job until its bundle is stored, and records what it learns under its attempt.
 *
 * @throws the error that makes the job fail, whose message says why; AttemptLostError when another run has the job; the
 * reason of the attempt's signal
 */
export async function exportJob(job: StaticExportJob, attempt: Attempt, context: ExportContext): Promise<ExportResult> {
    const { attempts, storage, folders, exporter, sites, faults, strict = false } = context;
    const { deployment = "client-hosted", acknowledgeTryIt = false, privatePages } = context;
    const { signal } = attempt;
    const site = sites.get(job.domain);
    if (site === undefined) {
        throw new Error(`Static export is no longer enabled for ${job.domain} on this service.`);
    }
    const isUpdate = job.kind === "update";
    const fault = faults.take(isUpdate ? "publish" : "export");
    await fault?.wait(signal);
    if (fault?.effect?.kind === "fail") {
        throw new Error(fault.effect.reason);
    }
    return folders.withWorkFolder(job.jobId, async (workDir) => {
        const cacheDir = await folders.cacheFolder(job.domain);
        await storage.restoreCache(job.domain, cacheDir, signal);
        signal.throwIfAborted();
        const result = await withSource(job, site.source, attempt, context, (folder) =>
            traced("export site", {}, () =>
                exporter.export(
                    {
                        ...folder,
                        domain: job.domain,
                        workDir,
                        cacheDir,
                        strict,
                        deployment,
                        acknowledgeTryIt,
                        ...(privatePages === undefined ? {} : { privatePages }),
                        ...(site.basePath === undefined ? {} : { basePath: site.basePath }),
                        ...(job.version === null ? {} : { version: job.version }),
                        ...(job.paths === null ? {} : { paths: job.paths }),
                    },
                    {
                        signal,
                        onProgress: (progress, pageCount) => attempts.reportProgress(job, { progress, pageCount }),
                    },
                ),
            ),
        );
        signal.throwIfAborted();
        if (isUpdate) {
            return result;
        }
        // A job that runs again because its bundle was damaged must yield the same bundle.
        if (job.sha256 !== null && job.sha256 !== result.sha256) {
            throw new Error("The bundle was damaged, and the site has changed since: start a new export.");
        }
        await traced("store bundle", {}, async () => {
            await attempt.write("store its bundle", () => attempts.announce(job, result.sha256));
            await storage.keep(result.archivePath, result, signal);
        });
        return result;
    });
}

/** Calls `use` with the folder that has the documentation; one with a checkout is removed afterwards. */
async function withSource<T>(
    job: StaticExportJob,
    source: Site["source"],
    attempt: Attempt,
    { attempts, folders, repositories, dataDir, logger }: ExportContext,
    use: (folder: Pick<ExportRequest, "siteDir" | "excludedDirs">) => Promise<T>,
): Promise<T> {
    const { jobId, domain, kind, sourceRef } = job;
    if (typeof source === "string") {
        return use({ siteDir: source, excludedDirs: [dataDir] });
    }
    return folders.withWorkFolder(jobId, async (folder) => {
        const { signal } = attempt;
        const published = await attempts.findPublishedCommit(domain);
        const wanted = { commit: sourceRef ?? (kind === "update" ? undefined : published), signal };
        const { siteDir, commit } = await traced("check out", {}, () => repositories.checkOut(source, folder, wanted));
        if (sourceRef === null) {
            const details =
                kind === "update"
                    ? await repositories.describe(source, folder, { before: published, signal })
                    : undefined;
            // Later runs of the job take the same commit.
            await attempt.write("record its commit", () => attempts.recordSource(job, commit, details));
        }
        const fields = { job: jobId, sourceRef: commit };
        logger.info(
            kind === "update"
                ? `Documentation update ${jobId} of ${domain} builds commit ${commit} of ${source.url}.`
                : `Export job ${jobId} of ${domain} exports commit ${commit} of ${source.url}.`,
            fields,
        );
        // The checkout lies in the data folder, so that folder is not excluded; links that lead out of the checkout are
        // not followed.
        return use({ siteDir, excludedDirs: [] });
    });
}
