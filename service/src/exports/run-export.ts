import { existsSync, realpathSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type DeploymentType } from "@pulumi-static-export/contract";
import {
    builderFile,
    type Exporter,
    type ExportRequest,
    type ExportResult,
    type PrivatePages,
} from "@pulumi-static-export/exporter";
import { BuildProgress, buildShare } from "../builds/build-progress.js";
import { type Builder } from "../builds/builder.js";
import { buildOf } from "../builds/site-build.js";
import { type BundleStorage } from "../storage/bundle-storage.js";
import { type PageCaches } from "../storage/page-caches.js";
import { reportWait, type WorkFolders, writeWithSpace } from "../storage/storage-folders.js";
import { type Run } from "../jobs/run.js";
import { aboutAttempt } from "../jobs/attempts.js";
import { type ServiceLogger } from "../shared/logger.js";
import { traced } from "../shared/traces.js";
import { type SiteJobAttempts } from "./site-job-attempts.js";
import { requestOf, siteOf, type SiteJob } from "./site-job.js";
import { addressOf, type Site } from "./site.js";
import { LostCommitError, type SiteCheckouts } from "./site-checkouts.js";

/** The operator's settings for the pages of all sites. */
export interface ExportSettings {
    /** Fails a job whose site has warnings, such as dead links. @default false */
    strict?: boolean | undefined;
    /** Decides which features the pages have, according to the contract's feature matrix. @default client-hosted */
    deployment?: DeploymentType;
    /** Whether `static-export answer` serves the sites' addresses as well. @default false */
    answer?: boolean;
    /** How exports treat pages for certain readers. @default leave-out */
    privatePages?: PrivatePages;
}

/** The parts that all exports of a service share. */
export interface ExportContext {
    attempts: SiteJobAttempts;
    bundles: BundleStorage;
    /** Undefined if all processes share a folder for caches. */
    caches: Pick<PageCaches, "restore" | "keep"> | undefined;
    folders: WorkFolders;
    exporter: Exporter;
    /** The site for a canonical domain. */
    findSite: (domain: string, signal: AbortSignal) => Promise<Site | undefined>;
    checkouts: Pick<SiteCheckouts, "checkOut" | "describe">;
    builder: Builder;
    /** Contains secrets, so exports publish nothing from this folder. */
    dataDir: string;
    settings: ExportSettings;
    logger: ServiceLogger;
}

/**
 * Runs one job until its bundle is stored, and records its progress under its attempt.
 *
 * @throws the error with which the job fails, whose message says why; RunLostError when another run has the job; the
 * reason of the run's signal
 */
export async function exportJob(job: SiteJob, run: Run, context: ExportContext): Promise<ExportResult> {
    const { attempts, bundles, folders, exporter, findSite, settings, logger } = context;
    const { strict = false, deployment = "client-hosted", answer = false, privatePages } = settings;
    const { signal } = run;
    const site = await findSite(siteOf(job), signal);
    if (site === undefined) {
        throw new Error(`Static export is no longer enabled for ${siteOf(job)} on this service.`);
    }
    const isUpdate = job.kind === "update";
    const withSpace = <T>(write: () => Promise<T>): Promise<T> =>
        writeWithSpace(write, {
            assertWritable: () => folders.assertWritable(),
            signal,
            onWait: reportWait(run.what, (line) => attempts.note(job, line), logger, aboutAttempt(job)),
        });
    return folders.withWorkFolder(job.jobId, async (workDir) => {
        const build = (cacheDir: string) =>
            withSource(job, { ...site, source: sourceOf(site, job) }, run, context, (folder) => {
                attempts.note(job, "Exports the pages.", "export");
                return traced("export site", {}, () =>
                    withSpace(() =>
                        inEmptyFolder(join(workDir, "export"), (exportDir) =>
                            exporter.export(
                                {
                                    ...folder,
                                    domain: job.domain,
                                    workDir: exportDir,
                                    cacheDir,
                                    strict,
                                    deployment,
                                    answer,
                                    ...(privatePages === undefined ? {} : { privatePages }),
                                    ...(site.basePath === undefined ? {} : { basePath: site.basePath }),
                                    ...requestOf(job),
                                },
                                {
                                    signal,
                                    onProgress: (progress, pageCount) =>
                                        attempts.reportProgress(job, {
                                            progress: afterBuild(site, progress),
                                            pageCount,
                                        }),
                                },
                            ),
                        ),
                    ),
                );
            });
        const result = await withCache(job, context, signal, build);
        signal.throwIfAborted();
        if (isUpdate) {
            return result;
        }
        // A job that runs again because its bundle was damaged must produce the same bundle.
        if (job.sha256 !== null && job.sha256 !== result.sha256) {
            throw new Error("The bundle was damaged, and the site has changed since: start a new export.");
        }
        attempts.note(job, `Stores the bundle of ${result.sizeBytes} bytes.`, "store");
        await traced("store bundle", {}, async () => {
            await run.write("store its bundle", () => attempts.announce(job, result.sha256));
            await withSpace(() => bundles.keep(result.archivePath, result, signal));
        });
        return result;
    });
}

/** Creates a folder for `use`, and removes it if `use` fails. */
async function inEmptyFolder<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(folder);
    try {
        return await use(folder);
    } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
    }
}

/** The progress of a job whose export has made some. */
function afterBuild({ build }: Site, progress: number): number {
    return build === undefined ? progress : buildShare + (progress * (100 - buildShare)) / 100;
}

/** Previews keep no cache between jobs, because the service does not learn when their branch is deleted. */
async function withCache<T>(
    job: SiteJob,
    { folders, caches }: ExportContext,
    signal: AbortSignal,
    use: (cacheDir: string) => Promise<T>,
): Promise<T> {
    if (job.preview !== null) {
        return folders.withWorkFolder(`${job.jobId}-cache`, use);
    }
    const cacheDir = await folders.cacheFolder(job.domain);
    await caches?.restore(job.domain, cacheDir, signal);
    signal.throwIfAborted();
    return use(cacheDir);
}

/** @throws if the site whose branch a job previews is no longer in a repository */
function sourceOf({ source }: Site, { preview, jobId }: SiteJob): Site["source"] {
    if (preview === null) {
        return source;
    }
    if (typeof source === "string") {
        throw new Error(`Site ${preview.of} is now a folder and has no branches: job ${jobId} cannot preview one.`);
    }
    return { ...source, branch: preview.branch };
}

/** Calls `use` with the folder that contains the documentation; a checkout is removed afterwards. */
async function withSource<T>(
    job: SiteJob,
    { source, build, basePath }: Site,
    run: Run,
    { attempts, folders, checkouts, builder, dataDir, logger }: ExportContext,
    use: (folder: Pick<ExportRequest, "sourceDir" | "excludedDirs" | "prebuilt">) => Promise<T>,
): Promise<T> {
    const { jobId, domain, kind, sourceRef } = job;
    if (typeof source === "string") {
        return use({ sourceDir: source, excludedDirs: [dataDir] });
    }
    const inFolder = <R>(work: (folder: string) => Promise<R>) =>
        build === undefined ? folders.withWorkFolder(jobId, work) : builder.withFolder(jobId, build.limits, work);
    return inFolder(async (folder) => {
        const { signal } = run;
        const published = await run.read("read the published commit", () => attempts.findPublishedCommit(domain));
        attempts.note(job, `Checks out ${source.url}.`, "checkout");
        const wanted = {
            commit: sourceRef ?? (kind === "update" ? undefined : published),
            historyCommits: build?.limits.historyCommits,
            signal,
        };
        const { sourceDir, checkout, commit, branch } = await traced("check out", {}, () =>
            checkouts.checkOut(source, folder, wanted),
        ).catch((error: unknown) => {
            throw error instanceof LostCommitError ? explainLost(error, job) : error;
        });
        if (sourceRef === null) {
            const details =
                kind === "update" ? await checkouts.describe(source, folder, { before: published, signal }) : undefined;
            // Later runs of the job use the same commit.
            await run.write("record its commit", () => attempts.recordSource(job, commit, details));
        }
        attempts.note(job, `Builds commit ${commit}.`);
        const fields = { ...aboutAttempt(job), sourceRef: commit };
        logger.info(
            kind === "update"
                ? `Documentation update ${jobId} of ${domain} builds commit ${commit} of ${source.url}.`
                : `Export job ${jobId} of ${domain} exports commit ${commit} of ${source.url}.`,
            fields,
        );
        // The checkout is inside the data folder, so that folder is not excluded; links to files outside of the
        // checkout are not followed.
        if (build === undefined) {
            if (existsSync(join(sourceDir, builderFile))) {
                attempts.note(job, `${builderFile} names a builder, but the operator's sites file allows no build.`);
            }
            return use({ sourceDir, excludedDirs: [] });
        }
        attempts.note(job, "Runs the site's builder.", "build");
        const progress = new BuildProgress();
        const onLine = (line: string) => {
            attempts.note(job, line);
            const changed = progress.read(line);
            if (changed !== undefined) {
                attempts.reportProgress(job, changed);
            }
        };
        // Previews have no cache: see `withCache`.
        const cacheName = job.preview === null ? domain : undefined;
        const output = await traced("build site", {}, () =>
            builder
                .run({
                    ...{ jobId, folder, checkout, sourceDir, cacheName, signal, onLine },
                    build: buildOf(build, {
                        ...{ url: addressOf(domain, { basePath }), branch, commit },
                        isPreview: job.preview !== null,
                    }),
                })
                .catch(withoutPlace(folder)),
        );
        return use({ sourceDir: output, excludedDirs: [], prebuilt: true });
    });
}

/** Errors of the file system name files by their place on this machine, which committers need not know. */
function withoutPlace(folder: string): (error: unknown) => never {
    const places = [folder, realpathSync(folder)].map((place) => `${place}/`);
    return (error) => {
        if (error instanceof Error && places.some((place) => error.message.includes(place))) {
            const message = places.reduce((text, place) => text.replaceAll(place, ""), error.message);
            throw new Error(message, { cause: error });
        }
        throw error;
    };
}

/** Explains how to restore the site when the commit of a job is gone. */
function explainLost({ message, cause }: LostCommitError, job: SiteJob): Error {
    const { kind, sourceRef, preview } = job;
    if (sourceRef !== null) {
        const title = kind === "update" ? "documentation update" : "export";
        return new Error(`The job's ${message}: its history was rewritten. Start a new ${title}.`, { cause });
    }
    const site = siteOf(job);
    const [what, branch] = preview === null ? ["published", ""] : ["previewed", ` --preview ${preview.branch}`];
    return new Error(
        `The ${what} ${message}, because its history was rewritten: start a documentation update of ${site} ` +
            `(static-export update ${site}${branch} --wait), and then a new export.`,
        { cause },
    );
}
