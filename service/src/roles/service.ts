import { join, resolve } from "node:path";
import { assertProjectsOnForge, resolveAgent } from "../agents/agent-options.js";
import { AgentRunner } from "../agents/agent-jobs.js";
import { BundleLinks } from "../storage/bundle-links.js";
import { assertFollowed, resolveBucket } from "../storage/bucket-options.js";
import { createStorage } from "../storage/create-storage.js";
import { createOwnFolders, createSharedFolders } from "../storage/storage-folders.js";
import { waitForStorage } from "../storage/wait-for-storage.js";
import { WorkFolders } from "../storage/work-folders.js";
import { ExportQueue } from "../exports/export-jobs.js";
import { nativeMegabytes, ProcessExporter } from "@pulumi-static-export/exporter";
import { resolveGitTokens } from "../exports/git-tokens.js";
import { Retention } from "../exports/retention.js";
import { SiteRepositories } from "../exports/site-checkouts.js";
import { prepareDataFolder } from "./data-folder.js";
import { addFaultInjection } from "../http/fault-injection.js";
import { FaultSchedule } from "../faults/fault-schedule.js";
import { addAgentJobRoutes } from "../http/routes/agent-job-routes.js";
import { addDocumentationUpdateRoutes } from "../http/routes/documentation-update-routes.js";
import { createApp } from "../http/app.js";
import { requireAdminApiKey } from "../http/authentication.js";
import { addBundleRoute } from "../http/routes/bundle-route.js";
import { announceIdempotency } from "../http/routes/idempotency.js";
import { addOpenApi } from "../http/protocol/openapi.js";
import { addRequestLog } from "../http/request-log.js";
import { addRequestTraces } from "../http/request-traces.js";
import { addStaticExportRoutes } from "../http/routes/static-export-routes.js";
import { addUnknownRouteAnswers } from "../http/protocol/unknown-routes.js";
import { Operations } from "../monitoring/monitoring.js";
import { dayMs } from "../shared/day-ms.js";
import { silentLogger } from "../shared/logger.js";
import { assertKeysOutlastJobs, resolveLimits } from "./service-limits.js";
import { readOrCreateSecretFile } from "../keys/secret-file.js";
import {
    assertAdminApiKey,
    assertSharedParts,
    resolveProjects,
    resolvePublicUrl,
    resolveSites,
    type ServiceOptions,
} from "./service-options.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { AdminKeys } from "../keys/admin-keys.js";
import { AgentJobStore } from "../agents/agent-job-store.js";
import { ExportAttempts } from "../exports/export-attempts.js";
import { LiveProgress } from "../exports/live-progress.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { readOrCreateSecret } from "../keys/shared-secret.js";
import { openSqliteDatabase } from "../database/sqlite-database.js";
import { IdempotencyKeys } from "../jobs/idempotency-keys.js";
import { StaticExportStore } from "../exports/static-export-store.js";
import { waitForSchema } from "../database/wait-for-schema.js";

export interface ListenOptions {
    /** 0 picks a free one. @default 0 */
    port?: number;
    /** @default "127.0.0.1": this machine only */
    host?: string;
}

export interface Service {
    /**
     * Starts to listen and resumes the jobs of an earlier process; resolves to the base address.
     *
     * @throws with `code` "EADDRINUSE" when the port is taken
     */
    listen(options?: ListenOptions): Promise<string>;
    /** The base address for clients. @throws before `listen` has resolved */
    readonly url: string;
    /** The agent jobs, for an embedder that runs their prompts itself if no agent is configured. */
    readonly agentJobs: Pick<AgentJobStore, "prompts" | "complete" | "fail" | "archive">;
    /** Replaces the fault switches, starting with the next request. @throws FaultSpecError */
    setFaults(specs: readonly string[]): void;
    /** Ends requests, interrupts running jobs (the next start runs them again) and releases all resources. */
    close(): Promise<void>;
}

/** How long responses in progress may take when the service closes. */
const closeGraceMs = 2000;

/**
 * Creates the admin service with a data folder, which it locks until it is closed.
 *
 * @throws ServiceOptionsError, FaultSpecError, or an error about the data folder
 */
export function createService(options: ServiceOptions): Service {
    const { adminApiKey, strict, deployment, acknowledgeTryIt, privatePages } = options;
    const { clock = Date.now, logger = silentLogger } = options;
    assertAdminApiKey(adminApiKey);
    const limits = resolveLimits(options);
    const { concurrency } = limits;
    const sites = resolveSites(options.sites);
    const gitTokens = resolveGitTokens(options.gitTokens);
    const agent = options.agent === undefined ? undefined : resolveAgent(options.agent);
    assertKeysOutlastJobs(limits, agent?.timeLimitMs ?? 0);
    const projects = resolveProjects(options.projects ?? {}, agent?.model);
    assertProjectsOnForge(projects, agent);
    assertSharedParts(options);
    const configuredUrl = options.publicUrl === undefined ? undefined : resolvePublicUrl(options.publicUrl);
    if (options.bucket !== undefined) {
        assertFollowed(resolveBucket(options.bucket), configuredUrl);
    }
    const schedule = new FaultSchedule(options.faults ?? []);

    const dataDir = resolve(options.dataDir);
    prepareDataFolder(dataDir, options.sites);
    // With a shared database, links and jobs belong to all its services; otherwise, to this data folder.
    const isShared = options.database !== undefined;
    let linkSecret = isShared ? undefined : readOrCreateSecretFile(join(dataDir, "link-secret"));
    const links = new BundleLinks(() => expectSecret(linkSecret), clock);
    const database =
        options.database === undefined ? openSqliteDatabase(dataDir) : new PostgresDatabase(options.database);
    const folders = isShared ? createSharedFolders(dataDir) : createOwnFolders(dataDir, [...sites.keys()]);
    const live = new LiveProgress(clock);
    const store = new StaticExportStore(database, clock, live);
    const onFailure = (operation: string): void => operations.storageFailed(operation);
    const storage = createStorage({ bucket: options.bucket, folders, database, clock, onFailure, logger });
    const operations = new Operations({
        address: options.health,
        database,
        storage,
        folders: isShared ? [] : (Object.values(folders) as string[]),
        store,
        clock,
        logger,
    });
    const keys = new IdempotencyKeys(database, clock, limits.keepKeysDays * dayMs);
    const agentJobs = new AgentJobStore(database, clock);
    const logsKeptSince = (): number => clock() - limits.keepDays * dayMs;
    const runner =
        agent === undefined ? undefined : new AgentRunner({ agent, database, dataDir, logger, logsKeptSince });
    const retention = new Retention({ ...limits, store, agentJobs, storage, clock, logger });
    const queue = isShared
        ? undefined
        : new ExportQueue({
              attempts: new ExportAttempts(database, clock, live),
              storage,
              folders: new WorkFolders(folders),
              exporter: options.exporter ?? new ProcessExporter(limits.exportLimits),
              sites,
              repositories: new SiteRepositories({
                  dataDir,
                  tokens: gitTokens,
                  maxBytes: limits.exportLimits.diskMegabytes * 2 ** 20,
                  memoryMegabytes: limits.exportLimits.memoryMegabytes + nativeMegabytes,
              }),
              dataDir,
              concurrency,
              strict,
              deployment,
              acknowledgeTryIt,
              privatePages,
              faults: schedule,
              retention,
              onEnd: operations.jobEnded,
              logger,
          });

    const closing = new AbortController();
    let listeningUrl: string | undefined;
    const publicUrl = (): string => {
        const url = configuredUrl ?? listeningUrl;
        if (url === undefined) {
            throw new Error("The service has no address yet: call listen first.");
        }
        return url;
    };

    const app = createApp(logger);
    addRequestLog(app, (entry) => {
        operations.requestEnded(entry);
        options.onRequest?.(entry);
    });
    addRequestTraces(app);
    addUnknownRouteAnswers(app);
    addFaultInjection(app, { schedule, links, publicUrl, clock, closing: closing.signal });
    addOpenApi(app, publicUrl);
    void app.register((scope, _options, done) => {
        scope.addHook("onRequest", announceIdempotency((limits.keepKeysDays * dayMs) / 1000));
        scope.addHook(
            "onRequest",
            requireAdminApiKey(adminApiKey, isShared ? new AdminKeys(database, clock) : undefined),
        );
        const domains = [...sites.keys()];
        addStaticExportRoutes(scope, {
            store,
            onQueued: () => queue?.wake(),
            keys,
            storage,
            links,
            domains,
            ...limits,
            publicUrl,
            clock,
            logger,
        });
        addAgentJobRoutes(scope, {
            store: agentJobs,
            keys,
            projects,
            runner,
            startsPerHour: limits.agentStartsPerHour,
            clock,
            logger,
        });
        addDocumentationUpdateRoutes(scope, {
            store,
            onQueued: () => queue?.wake(),
            keys,
            sites,
            projects,
            ...limits,
            logger,
        });
        done();
    });
    void app.register((scope, _options, done) => {
        addBundleRoute(scope, { store, storage, redirects: options.bucket !== undefined, links });
        done();
    });

    const close = async (): Promise<void> => {
        closing.abort();
        operations.closing();
        const cut = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
        try {
            await Promise.all([app.close(), queue?.close(), runner?.close()]);
        } finally {
            clearTimeout(cut);
            await Promise.all([database.close(), storage.close(), operations.close()]);
        }
    };
    let closed: Promise<void> | undefined;

    return {
        async listen({ port = 0, host = "127.0.0.1" } = {}) {
            if (configuredUrl === undefined && ["0.0.0.0", "::", ""].includes(host)) {
                throw new ServiceOptionsError(
                    `Listening on every address ("${host}") needs a public address: ` +
                        "bundle links must name one that clients reach.",
                );
            }
            await operations.start();
            if (isShared) {
                await waitForSchema(database, { signal: closing.signal, logger });
                linkSecret = await readOrCreateSecret(database, "links");
                await waitForStorage(storage, { signal: closing.signal, logger });
            }
            listeningUrl = await app.listen({ port, host });
            if (queue !== undefined) {
                await retention.applyAtStart();
                await queue.resume();
            }
            await runner?.resume();
            operations.started();
            return publicUrl();
        },
        get url() {
            return publicUrl();
        },
        agentJobs,
        setFaults: (specs) => schedule.set(specs),
        close: () => (closed ??= close()),
    };
}

function expectSecret(secret: string | undefined): string {
    if (secret === undefined) {
        throw new Error("The secret of links is read when the service starts to listen.");
    }
    return secret;
}
