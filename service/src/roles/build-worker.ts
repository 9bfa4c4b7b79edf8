import { BuildServer } from "../builds/build-server.js";
import { buildCachesIn, SiteBuilder } from "../builds/site-builder.js";
import { type HealthAddress, HealthServer } from "../monitoring/health-server.js";
import { type TableOptions } from "../options/option-table.js";
import { silentLogger, type ServiceLogger } from "../shared/logger.js";
import { dayMs } from "../shared/day-ms.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { CachePruning } from "../storage/prune-caches.js";
import { prepareDataFolder } from "./data-folder.js";
import { resolveLimits } from "./service-limits.js";
import { type Worker } from "./worker-process.js";

export interface BuildWorkerOptions extends Pick<
    TableOptions,
    "concurrency" | "cacheDiskMegabytes" | "keepDays" | "buildsShareNetwork" | "buildsReach"
> {
    /** Contains checkouts, finished sites and caches. */
    dataDir: string;
    listen: { readonly host: string; readonly port: number };
    /** The key of services and export workers; at least 16 characters. */
    key: string;
    health?: HealthAddress | undefined;
    /** @default process.env */
    env?: NodeJS.ProcessEnv;
    logger?: ServiceLogger;
}

export interface BuildWorker extends Worker {
    /** The port that it listens on, after it has started. */
    readonly port: number;
}

/** @throws ServiceOptionsError */
export function assertBuildsKey(key: string): void {
    if (!/^[\x21-\x7e]{16,}$/.test(key)) {
        throw new ServiceOptionsError(
            "The builds' key must have at least 16 visible ASCII characters and no white space: create one with " +
                "openssl rand -hex 32.",
        );
    }
}

/**
 * Creates a worker that builds sites for services and export workers. It needs neither the database, the storage nor
 * repositories.
 * @throws ServiceOptionsError, or an error about the data folder
 */
export function createBuildWorker(options: BuildWorkerOptions): BuildWorker {
    const { listen, key, buildsShareNetwork = false, buildsReach = [], logger = silentLogger } = options;
    assertBuildsKey(key);
    const dataDir = prepareDataFolder(options.dataDir);
    const { concurrency, cacheDiskMegabytes, keepDays } = resolveLimits(options);
    const cacheLimits = { maxBytes: cacheDiskMegabytes * 2 ** 20, unusedMs: keepDays * dayMs, inUseMs: 0 };
    const pruning = new CachePruning(buildCachesIn(dataDir), cacheLimits, logger);
    const server = new BuildServer({
        builder: new SiteBuilder({
            dataDir,
            secretFiles: [],
            sharesNetwork: buildsShareNetwork,
            reach: buildsReach,
            siteFolders: () => [],
            ...(options.env === undefined ? {} : { env: options.env }),
            logger,
        }),
        key,
        concurrency,
        onEnd: () => pruning.pruneIfDue(Date.now()),
    });
    const health = new HealthServer({ findProblems: () => Promise.resolve([]), metrics: () => Promise.resolve("") });
    let port = 0;
    return {
        get port() {
            return port;
        },
        async start() {
            port = await server.listen(listen);
            if (options.health !== undefined) {
                await health.listen(options.health);
            }
        },
        async close() {
            await Promise.all([server.close(), health.close()]);
        },
    };
}
