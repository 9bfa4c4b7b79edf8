import { nativeMegabytes, ProcessExporter } from "@pulumi-static-export/exporter";
import { type Builder } from "../builds/builder.js";
import { PodBuilder } from "../pods/pod-builder.js";
import { openPodPlace } from "../pods/pod-jobs.js";
import { buildCachesIn, SiteBuilder } from "../builds/site-builder.js";
import { SiteJobAttempts } from "../exports/site-job-attempts.js";
import { SiteJobs } from "../exports/site-jobs.js";
import { GoneSites } from "../exports/gone-sites.js";
import { SiteCheckouts } from "../exports/site-checkouts.js";
import { dayMs } from "../shared/day-ms.js";
import { Retention } from "../jobs/retention.js";
import { ControlGroups } from "../processes/control-group.js";
import { type EnforcedLimit } from "../processes/run-bounds.js";
import { JobRunner, type AnyJobRunner, type JobRunnerTimes } from "../jobs/runner.js";
import { CachePruning } from "../storage/prune-caches.js";
import { WorkFolders } from "../storage/storage-folders.js";
import { type Parts } from "./open-parts.js";
import { type ServiceLimits } from "./service-limits.js";
import { type ExportOptions } from "./service-options.js";
import { type WatchedSites } from "./watched-sites.js";

/** A run may take somewhat longer than its job's time limit. */
const hourMs = 3_600_000;

/** The maximum time to store an archive: longer than all attempts to upload it together. */
const maxStoringMs = 6 * hourMs;

/** Options of a process that runs exports. */
interface ExportRunnerOptions {
    options: ExportOptions & JobRunnerTimes;
    limits: ServiceLimits;
    sites: WatchedSites;
    /** By origin. */
    gitTokens: ReadonlyMap<string, string>;
}

/** @throws ServiceOptionsError */
export function createExportRunner(
    parts: Parts,
    { options, limits, sites, gitTokens }: ExportRunnerOptions,
): { exports: AnyJobRunner; retention: Retention; buildLimits: () => readonly EnforcedLimit[] } {
    const { dataDir, database, folders, storage, live, siteJobs, agentJobs, retentionRounds, monitoring } = parts;
    const { clock, logger } = parts;
    const { memoryMegabytes, diskMegabytes } = limits.exportLimits;
    const goneSites = new GoneSites({
        ...{ database, store: siteJobs, sites: sites.sites },
        ...{ caches: storage.caches, clock },
    });
    const retention = new Retention({
        ...limits,
        jobs: [siteJobs, goneSites, agentJobs, parts.audit],
        bundleJobs: siteJobs,
        storage,
        rounds: retentionRounds,
        onRemoved: monitoring.retentionApplied,
        clock: parts.databaseClock,
        logger,
    });
    const cacheLimits = { maxBytes: limits.cacheDiskMegabytes * 2 ** 20, unusedMs: limits.keepDays * dayMs };
    const prunings = [
        new CachePruning(folders.cache, { ...cacheLimits, inUseMs: limits.exportLimits.jobTimeoutMs + hourMs }, logger),
        // Caches in use are in the folders of builds.
        new CachePruning(buildCachesIn(dataDir), { ...cacheLimits, inUseMs: 0 }, logger),
    ];
    const builder = createBuilder(parts, options, sites);
    const kind = new SiteJobs({
        attempts: new SiteJobAttempts(database, clock, live, { logs: parts.jobLogs, worker: parts.workerId }),
        bundles: storage.bundles,
        caches: storage.caches,
        folders: new WorkFolders(folders, parts.role === "alone" ? 0 : limits.exportLimits.jobTimeoutMs + maxStoringMs),
        exporter: options.exporter ?? new ProcessExporter(limits.exportLimits),
        findSite: (domain, signal) => sites.find(domain, signal),
        checkouts: new SiteCheckouts({
            dataDir,
            tokens: gitTokens,
            maxBytes: diskMegabytes * 2 ** 20,
            memoryMegabytes: memoryMegabytes + nativeMegabytes,
            stallSeconds: limits.gitStallSeconds,
        }),
        builder,
        dataDir,
        concurrency: limits.concurrency,
        settings: options,
        pruneCaches: async () => void (await Promise.all(prunings.map((each) => each.pruneIfDue(clock())))),
        onEnd: monitoring.jobEnded,
        logger,
    });
    const buildLimits = () => builder.enforcedLimits?.() ?? [];
    return { exports: new JobRunner(kind, logger, options), retention, buildLimits };
}

/** Builds on this machine, unless builds run as Jobs of a cluster. */
function createBuilder(
    { dataDir, logger }: Parts,
    { pods, secretFiles, buildsShareNetwork, buildsReach, buildsNeedKernel }: ExportOptions,
    sites: WatchedSites,
): Builder {
    if (pods !== undefined) {
        const { env } = process;
        return new PodBuilder({
            ...openPodPlace(pods, env),
            ...{ dataDir, caches: buildCachesIn(dataDir), env, logger },
        });
    }
    // Before this process starts others.
    ControlGroups.open();
    const builder = new SiteBuilder({
        dataDir,
        secretFiles: Object.values(secretFiles ?? {}),
        sharesNetwork: buildsShareNetwork === true,
        reach: buildsReach ?? [],
        needsKernel: buildsNeedKernel === true,
        siteFolders: () =>
            [...sites.sites.values()].flatMap(({ source }) => (typeof source === "string" ? source : [])),
        logger,
    });
    if ([...sites.sites.values()].some(({ build }) => build !== undefined)) {
        builder.reportLimits();
    }
    return builder;
}
