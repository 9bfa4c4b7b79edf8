import { type FastifyReply } from "fastify";
import { join } from "node:path";
import { type AgentProject } from "../agents/agent-job-store.js";
import { type ResolvedAgent } from "../agents/agent-options.js";
import { ChangesReader } from "../bundle-files/export-changes.js";
import { OpenedSites } from "../bundle-files/opened-sites.js";
import { addDashboard, type Dashboard, sendUnknownPage } from "../dashboard/dashboard.js";
import { type ResolvedOidc } from "../dashboard/sign-in/oidc-options.js";
import { Sessions } from "../dashboard/sign-in/sessions.js";
import { GoneSites } from "../exports/gone-sites.js";
import { type Site } from "../exports/site.js";
import { commitUrl } from "../forge/commit-url.js";
import { createApp } from "../http/app.js";
import { addCommonHeaders } from "../http/common-headers.js";
import { CallerTickets, requireAdminApiKey } from "../http/authentication.js";
import { addOpenApi } from "../http/protocol/openapi.js";
import { type Route } from "../http/protocol/route.js";
import { type App } from "../http/protocol/typed-app.js";
import { addUnknownRouteAnswers } from "../http/protocol/unknown-routes.js";
import { addRequestLog, entryOfBroken, type RequestLogEntry } from "../http/request-log.js";
import { addRequestTraces } from "../http/request-traces.js";
import { UntrustedProxies } from "../http/untrusted-proxies.js";
import { agentJobRoutes } from "../http/routes/agent-job-routes.js";
import { agentHistoryRoutes } from "../http/operator-routes/agent-history-routes.js";
import { JobStarters } from "../http/operator-routes/job-starters.js";
import { changesRoute } from "../http/operator-routes/changes-route.js";
import { jobHistoryRoutes } from "../http/operator-routes/job-history-routes.js";
import { findKeyRoutes } from "../http/operator-routes/find-key-routes.js";
import { keyRoutes } from "../http/operator-routes/key-routes.js";
import { sessionRoutes } from "../http/operator-routes/session-routes.js";
import { serviceRoutes, type ServiceFacts } from "../http/operator-routes/service-routes.js";
import { siteRoutes } from "../http/operator-routes/site-routes.js";
import { addBundleRoute } from "../http/routes/bundle-route.js";
import { announceIdempotency } from "../http/routes/start-once.js";
import { documentationUpdateRoutes } from "../http/routes/documentation-update-routes.js";
import { addForgeWebhookRoute } from "../http/routes/forge-webhook-route.js";
import { staticExportRoutes } from "../http/routes/static-export-routes.js";
import { IdempotencyKeys } from "../jobs/idempotency-keys.js";
import { type AnyJobRunner } from "../jobs/runner.js";
import { measureDisk } from "../processes/disk-watch.js";
import { type EnforcedLimit } from "../processes/run-bounds.js";
import { type OperatorKeys } from "../keys/operator-keys.js";
import { type BundleLinks } from "../storage/bundle-links.js";
import { type PreviewDomains } from "../updates/previews.js";
import { type Parts } from "./open-parts.js";
import { ageOfKeysMs, type ServiceLimits } from "./service-limits.js";

interface ApiOptions {
    operatorKeys: OperatorKeys;
    limits: ServiceLimits;
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    previewDomains: PreviewDomains;
    webhookSecret: string | undefined;
    projects: ReadonlyMap<string, AgentProject>;
    agent: ResolvedAgent | undefined;
    /** Undefined if other processes run the jobs. */
    exports: AnyJobRunner | undefined;
    agents: AnyJobRunner | undefined;
    links: BundleLinks;
    /** Whether the storage signs its own links. */
    redirects: boolean;
    publicUrl: () => string;
    /** Aborted when the service closes. */
    closing: AbortSignal;
    facts: ServiceFacts;
    /** Empty if other processes run the builds. */
    buildLimits: () => readonly EnforcedLimit[];
    /** Whether the service has pages for people. */
    hasDashboard: boolean;
    /** Undefined if people sign in with keys only. */
    oidc: ResolvedOidc | undefined;
    trustedProxies: readonly string[] | undefined;
    onRequest: ((entry: RequestLogEntry) => void) | undefined;
}

const routes: readonly Route<ReturnType<typeof contextOf>>[] = [
    ...staticExportRoutes,
    ...agentJobRoutes,
    ...documentationUpdateRoutes,
    ...jobHistoryRoutes,
    changesRoute,
    ...siteRoutes,
    ...agentHistoryRoutes,
    ...findKeyRoutes,
    ...keyRoutes,
    ...sessionRoutes,
    ...serviceRoutes,
];

/** The HTTP API of a service. */
export function createApi(parts: Parts, options: ApiOptions): { app: App; dashboard: Dashboard | undefined } {
    const { adminKeys, monitoring, clock, logger } = parts;
    const { limits, publicUrl } = options;
    const keysAgeMs = ageOfKeysMs(limits, options.agent?.timeLimitMs ?? 0);
    const tickets = new CallerTickets();
    const onRequest = (entry: RequestLogEntry): void => {
        monitoring.requestEnded(entry);
        options.onRequest?.(entry);
    };
    const untrusted = new UntrustedProxies(clock, logger);
    const app = createApp(logger, {
        trustedProxies: options.trustedProxies,
        onBroken: (broken) => onRequest(entryOfBroken(broken)),
        onUntrusted: untrusted.seen,
    });
    addRequestLog(app, onRequest);
    addRequestTraces(app);
    addCommonHeaders(app, publicUrl);
    const showRefusal = (reply: FastifyReply, message: string) => sendUnknownPage(publicUrl(), reply, message);
    addUnknownRouteAnswers(app, options.hasDashboard ? showRefusal : undefined);
    addOpenApi(app, publicUrl);
    const sessions = createSessions(parts, options);
    const context = contextOf(
        parts,
        { ...options, sessions, untrusted },
        new IdempotencyKeys(parts.database, clock, keysAgeMs),
    );
    void app.register((scope, _options, done) => {
        scope.addHook("onRequest", announceIdempotency(keysAgeMs / 1000));
        scope.addHook("onRequest", (_request, reply, next) => {
            // Reverse proxies replace a `Server` header.
            void reply.header("static-export-service", "self-hosted");
            next();
        });
        scope.addHook("onRequest", requireAdminApiKey(options.operatorKeys, adminKeys, tickets));
        for (const add of routes) {
            add(scope, context);
        }
        done();
    });
    void app.register((scope, _options, done) => {
        addBundleRoute(scope, { ...context, redirects: options.redirects });
        done();
    });
    void app.register((scope, _options, done) => {
        addForgeWebhookRoute(scope, { ...context, secret: options.webhookSecret });
        done();
    });
    return {
        app,
        dashboard: options.hasDashboard ? openDashboard(app, tickets, parts, { ...options, sessions }) : undefined,
    };
}

/** What the routes need. */
function contextOf(
    parts: Parts,
    options: ApiOptions & { sessions: Sessions; untrusted: UntrustedProxies },
    keys: IdempotencyKeys,
) {
    const { database, storage, monitoring, history, siteJobs: store } = parts;
    const { limits, sites, exports, closing, untrusted } = options;
    return {
        ...parts,
        ...limits,
        ...options,
        keys,
        store,
        bundles: storage.bundles,
        onQueued: () => exports?.wake(),
        stop: async (jobId: string) => exports?.stop(jobId),
        answers: new JobStarters(parts.adminKeys, parts.audit, (site, commit) => {
            const source = sites.get(site)?.source;
            const forge = options.agent?.pullRequests;
            const own = forge === undefined || forge.kind === "link" ? undefined : forge;
            return typeof source === "object" ? commitUrl(source.url, commit, own) : undefined;
        }),
        changes: new ChangesReader({ history, bundles: storage.bundles, closing }),
        goneSites: new GoneSites({ database, store, sites, caches: storage.caches, clock: parts.clock }),
        findProblems: async () => [
            ...(await monitoring.findProblems(parts)),
            ...parts.siteFaults(),
            ...untrusted.problems(),
        ],
        measureDisk: () => measureDisk(parts.dataDir),
    };
}

function createSessions(parts: Parts, { operatorKeys, oidc }: ApiOptions): Sessions {
    const { linkSecrets: secrets, sessionRecords: records, adminKeys: keys, clock } = parts;
    return new Sessions({ secrets, records, operatorKeys, keys, groups: oidc?.groups, clock });
}

function openDashboard(
    app: App,
    tickets: CallerTickets,
    parts: Parts,
    options: ApiOptions & { sessions: Sessions },
): Dashboard {
    const { linkSecrets, overview, siteJobs, audit, clock, logger } = parts;
    const { sessions, oidc, publicUrl, projects, closing } = options;
    return addDashboard({
        app,
        tickets,
        secrets: linkSecrets,
        oidc,
        sessions,
        overview,
        publicUrl,
        projects: [...projects.keys()],
        siteJobs,
        openedSites: new OpenedSites({
            // Processes may share the data folder.
            folder: join(parts.dataDir, "opened-sites", parts.role === "alone" ? "all" : String(process.pid)),
            bundles: parts.storage.bundles,
            closing,
        }),
        clock,
        audit,
        logger,
    });
}
