import { resolveGitTokens } from "../exports/git-source.js";
import { parseDatabaseUrl } from "../database/postgres-address.js";
import { type JobRunnerTimes } from "../jobs/runner.js";
import { silentLogger } from "../shared/logger.js";
import { assertNothingSecretPublished, prepareDataFolder } from "./data-folder.js";
import { createExportRunner } from "./export-runner.js";
import { openParts } from "./open-parts.js";
import { resolveLimits } from "./service-limits.js";
import { type ExportOptions } from "./service-options.js";
import { WatchedSites } from "./watched-sites.js";
import { createWorkerProcess, type Worker } from "./worker-process.js";

export interface WorkerOptions extends ExportOptions, JobRunnerTimes {
    /** The address of the PostgreSQL database, `postgres://…`. */
    database: string;
}

/**
 * Creates a worker that runs the export jobs that services with the same database have queued.
 *
 * @throws ServiceOptionsError, or an error about the data folder
 */
export function createWorker(options: WorkerOptions): Worker {
    const { database, bucket, health, clock, logger = silentLogger } = options;
    parseDatabaseUrl(database);
    const limits = resolveLimits(options);
    const watched = new WatchedSites({
        ...options,
        logger,
        checkSite: (domain, site, realPlace) => assertNothingSecretPublished(options, domain, site, realPlace),
    });
    const gitTokens = resolveGitTokens(options.gitTokens);
    const dataDir = prepareDataFolder(options.dataDir);
    const domains = [...watched.sites.keys()];
    const siteFaults = () => watched.faults;
    const parts = openParts({ role: "exports", dataDir, database, bucket, domains, siteFaults, health, clock, logger });
    const { exports, retention } = createExportRunner(parts, { options, limits, sites: watched, gitTokens });
    return createWorkerProcess(
        parts,
        exports,
        { kind: "export", concurrency: limits.concurrency },
        { retention, sites: watched },
    );
}
