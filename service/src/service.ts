import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BundleLinks } from "./bundles/bundle-links.js";
import { BundleStorage } from "./bundles/bundle-storage.js";
import { ExportQueue } from "./export/export-queue.js";
import { WorkerExporter } from "./export/worker-exporter.js";
import { addFaultInjection } from "./faults/fault-injection.js";
import { FaultSchedule } from "./faults/fault-schedule.js";
import { addAgentJobRoutes } from "./http/agent-job-routes.js";
import { createApp } from "./http/app.js";
import { requireAdminApiKey } from "./http/authentication.js";
import { addBundleRoute } from "./http/bundle-route.js";
import { addOpenApi } from "./http/openapi.js";
import { addRequestLog } from "./http/request-log.js";
import { addStaticExportRoutes } from "./http/static-export-routes.js";
import { silentLogger } from "./logger.js";
import { readOrCreateSecretFile } from "./secret-file.js";
import {
    assertAdminApiKey,
    assertAtLeastOne,
    assertNotPublished,
    resolveProjects,
    resolvePublicUrl,
    resolveSites,
    ServiceOptionsError,
    type ServiceOptions,
} from "./service-options.js";
import { AgentJobStore } from "./store/agent-job-store.js";
import { closeDatabase, openDatabase } from "./store/database.js";
import { StaticExportStore } from "./store/static-export-store.js";

export interface ListenOptions {
    /** 0 takes a free one. @default 0 */
    port?: number;
    /** @default "127.0.0.1": this machine only */
    host?: string;
}

export interface Service {
    /**
     * Starts to answer and takes up the jobs an earlier process left; resolves to the base address.
     *
     * @throws with `code` "EADDRINUSE" when the port is taken
     */
    listen(options?: ListenOptions): Promise<string>;
    /** The base address clients use. @throws before `listen` has resolved */
    readonly url: string;
    /** The agent jobs, for whoever runs their prompts. */
    readonly agentJobs: Pick<AgentJobStore, "prompts" | "complete" | "fail" | "archive">;
    /** Replaces the fault switches from the next request on. @throws FaultSpecError */
    setFaults(specs: readonly string[]): void;
    /** Ends requests, interrupts running jobs (the next start runs them again) and gives every resource back. */
    close(): Promise<void>;
}

/** How long answers in progress may take to end when the service closes. */
const closeGraceMs = 2000;

/**
 * Creates the admin service over a data folder, which it holds for itself until it is closed.
 *
 * @throws ServiceOptionsError, FaultSpecError, or what the data folder could not give
 */
export function createService(options: ServiceOptions): Service {
    const { adminApiKey, linkTtlSeconds = 3600, concurrency = 2, clock = Date.now, logger = silentLogger } = options;
    assertAdminApiKey(adminApiKey);
    assertAtLeastOne("linkTtlSeconds", linkTtlSeconds);
    assertAtLeastOne("concurrency", concurrency);
    const sites = resolveSites(options.sites);
    const projects = resolveProjects(options.projects ?? {});
    const configuredUrl = options.publicUrl === undefined ? undefined : resolvePublicUrl(options.publicUrl);
    const schedule = new FaultSchedule(options.faults ?? []);

    const dataDir = resolve(options.dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    assertNotPublished(dataDir, sites);
    // The folder may lie in a repository, and it holds secrets.
    writeFileSync(join(dataDir, ".gitignore"), "*\n");
    const links = new BundleLinks(readOrCreateSecretFile(join(dataDir, "link-secret")), clock);
    const database = openDatabase(dataDir);
    const storage = new BundleStorage(dataDir);
    const store = new StaticExportStore(database, clock);
    const agentJobs = new AgentJobStore(database, clock);
    const exporter = options.exporter ?? new WorkerExporter(concurrency);
    const queue = new ExportQueue({ store, storage, exporter, sites, concurrency, faults: schedule, logger });

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
    if (options.onRequest !== undefined) {
        addRequestLog(app, options.onRequest);
    }
    addFaultInjection(app, { schedule, links, publicUrl, clock, closing: closing.signal });
    addOpenApi(app, publicUrl);
    void app.register((scope, _options, done) => {
        scope.addHook("onRequest", requireAdminApiKey(adminApiKey));
        const domains = [...sites.keys()];
        addStaticExportRoutes(scope, { store, queue, storage, links, domains, linkTtlSeconds, publicUrl, clock });
        addAgentJobRoutes(scope, { store: agentJobs, projects });
        done();
    });
    void app.register((scope, _options, done) => {
        addBundleRoute(scope, { store, storage, links });
        done();
    });

    const close = async (): Promise<void> => {
        closing.abort();
        const cut = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
        try {
            await Promise.all([app.close(), queue.close()]);
        } finally {
            clearTimeout(cut);
            closeDatabase(database);
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
            listeningUrl = await app.listen({ port, host });
            queue.resume();
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
