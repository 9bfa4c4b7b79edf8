import { join } from "node:path";
import { type AgentProject } from "../agents/agent-job-store.js";
import { ChangesReader } from "../bundle-files/export-changes.js";
import { OpenedSites } from "../bundle-files/opened-sites.js";
import { addDashboard, type Dashboard } from "../dashboard/dashboard.js";
import { type ResolvedOidc } from "../dashboard/sign-in/oidc-options.js";
import { Sessions } from "../dashboard/sign-in/sessions.js";
import { GoneSites } from "../exports/gone-sites.js";
import { type Site } from "../exports/site.js";
import { type FaultSchedule } from "../faults/fault-schedule.js";
import { CallerTickets } from "../http/caller-tickets.js";
import { createApp } from "../http/app.js";
import { requireAdminApiKey } from "../http/authentication.js";
import { addFaultInjection } from "../http/fault-injection.js";
import { addOpenApi } from "../http/protocol/openapi.js";
import { type App } from "../http/protocol/typed-app.js";
import { addUnknownRouteAnswers } from "../http/protocol/unknown-routes.js";
import { addRequestLog, type RequestLogEntry } from "../http/request-log.js";
import { addRequestTraces } from "../http/request-traces.js";
import { addAgentJobRoutes } from "../http/routes/agent-job-routes.js";
import { addAgentHistoryRoutes } from "../http/operator-routes/agent-history-routes.js";
import { JobAnswers } from "../http/operator-routes/job-answers.js";
import { addChangesRoute } from "../http/operator-routes/changes-route.js";
import { addJobHistoryRoutes } from "../http/operator-routes/job-history-routes.js";
import { addKeyRoutes } from "../http/operator-routes/key-routes.js";
import { addServiceRoutes, type ServiceFacts } from "../http/operator-routes/service-routes.js";
import { addSiteRoutes } from "../http/operator-routes/site-routes.js";
import { addBundleRoute } from "../http/routes/bundle-route.js";
import { announceIdempotency } from "../http/routes/idempotency.js";
import { addDocumentationUpdateRoutes } from "../http/routes/documentation-update-routes.js";
import { addForgeWebhookRoute } from "../http/routes/forge-webhook-route.js";
import { addStaticExportRoutes } from "../http/routes/static-export-routes.js";
import { IdempotencyKeys } from "../jobs/idempotency-keys.js";
import { type AnyJobRunner } from "../jobs/runner.js";
import { measureDisk } from "../processes/disk-watch.js";
import { dayMs } from "../shared/day-ms.js";
import { type OperatorKeys } from "../keys/operator-keys.js";
import { type BundleLinks } from "../storage/bundle-links.js";
import { type PreviewDomains } from "../updates/previews.js";
import { type Parts } from "./open-parts.js";
import { type ServiceLimits } from "./service-limits.js";

export interface ApiOptions {
    operatorKeys: OperatorKeys;
    limits: ServiceLimits;
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    previewDomains: PreviewDomains;
    webhookSecret: string | undefined;
    projects: ReadonlyMap<string, AgentProject>;
    /** Undefined if other processes run the jobs. */
    exports: AnyJobRunner | undefined;
    agents: AnyJobRunner | undefined;
    links: BundleLinks;
    /** Whether the storage signs its own links. */
    redirects: boolean;
    publicUrl: () => string;
    faults: FaultSchedule;
    /** Aborted when the service closes. */
    closing: AbortSignal;
    facts: ServiceFacts;
    /** Whether the service has pages for people. */
    hasDashboard: boolean;
    /** Undefined if people sign in with keys only. */
    oidc: ResolvedOidc | undefined;
    onRequest: ((entry: RequestLogEntry) => void) | undefined;
}

/** The HTTP API of a service. */
export function createApi(parts: Parts, options: ApiOptions): { app: App; dashboard: Dashboard | undefined } {
    const { database, storage, exportJobs, agentJobs, adminKeys, history, overview, monitoring, clock, logger } = parts;
    const { limits, sites, previewDomains, exports, agents, links, publicUrl, faults, closing } = options;
    const keysAgeMs = limits.keepKeysDays * dayMs;
    const keys = new IdempotencyKeys(database, clock, keysAgeMs);
    const tickets = new CallerTickets();
    const app = createApp(logger);
    addRequestLog(app, (entry) => {
        monitoring.requestEnded(entry);
        options.onRequest?.(entry);
    });
    addRequestTraces(app);
    addUnknownRouteAnswers(app);
    addFaultInjection(app, { schedule: faults, links, publicUrl, clock, closing });
    addOpenApi(app, publicUrl);
    const updates = {
        store: exportJobs,
        onQueued: () => exports?.wake(),
        keys,
        sites,
        projects: options.projects,
        ...limits,
        logger,
    };
    void app.register((scope, _options, done) => {
        scope.addHook("onRequest", announceIdempotency(keysAgeMs / 1000));
        scope.addHook("onRequest", (_request, reply, next) => {
            // Reverse proxies replace a `Server` header.
            void reply.header("static-export-service", "self-hosted");
            next();
        });
        scope.addHook("onRequest", requireAdminApiKey(options.operatorKeys, adminKeys, tickets));
        addStaticExportRoutes(scope, {
            store: exportJobs,
            onQueued: () => exports?.wake(),
            stop: async (jobId) => exports?.stop(jobId),
            keys,
            storage: storage.bundles,
            links,
            sites,
            previewDomains,
            ...limits,
            publicUrl,
            clock,
            logger,
        });
        addAgentJobRoutes(scope, {
            store: agentJobs,
            keys,
            projects: options.projects,
            runner: agents,
            startsPerHour: limits.agentStartsPerHour,
            clock,
            logger,
        });
        addDocumentationUpdateRoutes(scope, { ...updates, previewDomains });
        const answers = new JobAnswers(adminKeys);
        addJobHistoryRoutes(scope, { store: exportJobs, sites, previewDomains, history, overview, answers, clock });
        addChangesRoute(scope, {
            store: exportJobs,
            changes: new ChangesReader({ history, storage: storage.bundles, closing }),
        });
        addSiteRoutes(scope, {
            sites,
            overview,
            answers,
            goneSites: new GoneSites({ database, store: exportJobs, sites, caches: storage.caches }),
            stop: async (jobId) => exports?.stop(jobId),
            logger,
        });
        addAgentHistoryRoutes(scope, { store: agentJobs, history: parts.agentHistory });
        addKeyRoutes(scope, {
            adminKeys,
            linkSecrets: parts.linkSecrets,
            linkTtlSeconds: limits.linkTtlSeconds,
            logger,
        });
        addServiceRoutes(scope, {
            facts: options.facts,
            workers: parts.workers,
            history,
            answers,
            clock,
            overview,
            projects: options.projects,
            exportJobs,
            agentJobs,
            findProblems: async () => [...(await monitoring.findProblems(parts)), ...parts.siteFaults()],
            measureDisk: () => measureDisk(parts.dataDir),
        });
        done();
    });
    void app.register((scope, _options, done) => {
        addBundleRoute(scope, { store: exportJobs, storage: storage.bundles, redirects: options.redirects, links });
        done();
    });
    void app.register((scope, _options, done) => {
        addForgeWebhookRoute(scope, { ...updates, secret: options.webhookSecret });
        done();
    });
    const dashboard = !options.hasDashboard
        ? undefined
        : addDashboard({
              app,
              tickets,
              secrets: parts.linkSecrets,
              oidc: options.oidc,
              sessions: new Sessions({
                  secrets: parts.linkSecrets,
                  operatorKeys: options.operatorKeys,
                  keys: adminKeys,
                  groups: options.oidc?.groups,
                  clock,
              }),
              overview,
              publicUrl,
              projects: [...options.projects.keys()],
              exportJobs,
              openedSites: new OpenedSites({
                  // Processes may share the data folder.
                  folder: join(parts.dataDir, "opened-sites", parts.isShared ? String(process.pid) : "all"),
                  storage: storage.bundles,
                  closing,
              }),
              clock,
              logger,
          });
    return { app, dashboard };
}
