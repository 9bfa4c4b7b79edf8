import { setTimeout as sleep } from "node:timers/promises";
import { assertProjectsOnForge, resolveAgent } from "../agents/agent-options.js";
import { resolveOidc } from "../dashboard/sign-in/oidc-options.js";
import { resolveGitTokens } from "../exports/git-source.js";
import { type ServiceLogger, silentLogger } from "../shared/logger.js";
import { OperatorKeys, parseAdminApiKeys } from "../keys/operator-keys.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { assertFollowed, resolveBucket } from "../storage/bucket-options.js";
import { BundleLinks } from "../storage/bundle-links.js";
import { resolvePreviewDomains } from "../updates/previews.js";
import { createAgentRunner } from "./agent-runner.js";
import { type App } from "../http/protocol/typed-app.js";
import { type ServiceFacts } from "../http/operator-routes/service-routes.js";
import { createApi } from "./create-api.js";
import { assertNothingSecretPublished, prepareDataFolder } from "./data-folder.js";
import { WorkerReports } from "../history/workers.js";
import { createExportRunner } from "./export-runner.js";
import { openParts, type Parts } from "./open-parts.js";
import { numbersOf, resolveLimits, type ServiceLimits } from "./service-limits.js";
import {
    assertSharedParts,
    assertWebhookSecret,
    resolveProjects,
    resolvePublicUrl,
    type ServiceOptions,
} from "./service-options.js";
import { ProcessStart } from "../shared/process-start.js";
import { WatchedSites } from "./watched-sites.js";

export interface ListenOptions {
    /** With 0, the system picks a free port. @default 0 */
    port?: number;
    /** With "127.0.0.1", only this machine can connect. @default "127.0.0.1" */
    host?: string;
}

export interface Service {
    /**
     * Starts listening and resumes the jobs of an earlier process; resolves to the base address.
     *
     * @throws with `code` "EADDRINUSE" when the port is taken, and an AbortError if the service was closed meanwhile
     */
    listen(options?: ListenOptions): Promise<string>;
    /** The base address for clients. @throws before `listen` has resolved */
    readonly url: string;
    /**
     * An address that signs the operator in to the dashboard, once, within 15 minutes; undefined for a service without
     * a dashboard.
     */
    createSignInLink(): string | undefined;
    /** Ends requests, interrupts running jobs, which the next start runs again, and releases all resources. */
    close(): Promise<void>;
}

function assertAddress(url: string | undefined): string {
    if (url === undefined) {
        throw new Error("The service has no address yet: call listen first.");
    }
    return url;
}

/** How long responses in progress may take when the service closes. */
const closeGraceMs = 2000;

/** Fastify closes only a server that listens already, and never answers a call of `listen` that it interrupts. */
async function closeApp(app: App, opening: Promise<string> | undefined): Promise<void> {
    await opening?.catch(() => undefined);
    const cut = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
    try {
        await app.close();
    } finally {
        clearTimeout(cut);
    }
}

/**
 * Creates the admin service with a data folder, which it locks until it is closed.
 *
 * @throws ServiceOptionsError, or an error about the data folder
 */
export function createService(options: ServiceOptions): Service {
    const { drainMs = 0, logger = silentLogger } = options;
    const resolved = resolveOptions(options, logger);
    const { watched, configuredUrl } = resolved;
    const dataDir = prepareDataFolder(options.dataDir);
    const secrets = readSecrets(options, logger);
    const parts = openServiceParts(dataDir, options, watched, logger);
    const { monitoring, linkSecrets } = parts;
    const { local, reports, agents } = createRunners(parts, options, resolved);

    const start = new ProcessStart();
    /** Aborted when requests in progress have had their time. */
    const closing = new AbortController();
    let opening: Promise<string> | undefined;
    let listeningUrl: string | undefined;
    const publicUrl = (): string => assertAddress(configuredUrl ?? listeningUrl);
    const { app, dashboard } = createApi(parts, {
        ...resolved,
        ...secrets,
        sites: watched.sites,
        exports: local?.exports,
        agents,
        links: new BundleLinks(linkSecrets, parts.clock),
        redirects: options.bucket !== undefined,
        publicUrl,
        hasDashboard: options.dashboard !== false,
        closing: closing.signal,
        facts: factsOf(options, resolved.limits, parts.clock()),
        buildLimits: local?.buildLimits ?? (() => []),
        trustedProxies: options.trustedProxies,
        onRequest: options.onRequest,
    });
    const drain = addDraining(app);
    const close = async (): Promise<void> => {
        start.closing();
        monitoring.closing();
        await drain(drainMs);
        closing.abort();
        watched.close();
        try {
            await Promise.all([
                closeApp(app, opening),
                local?.exports.close(),
                local?.retention.close(),
                agents?.close(),
            ]);
            await reports?.close();
        } finally {
            await parts.close();
            await start.ended();
        }
    };
    const listen = async ({ port = 0, host = "127.0.0.1" }: ListenOptions, signal: AbortSignal): Promise<string> => {
        assertReachable(host, configuredUrl);
        await monitoring.start({ ...parts, findSites: () => parts.overview.list(watched.sites) });
        await parts.waitUntilReady(signal);
        await parts.untilReached(() => linkSecrets.start(), signal);
        signal.throwIfAborted();
        listeningUrl = await (opening = app.listen({ port, host }));
        signal.throwIfAborted();
        warnOfSharedDomain(dashboard === undefined ? undefined : configuredUrl, [...watched.sites.keys()], logger);
        await local?.retention.applyAtStart();
        signal.throwIfAborted();
        local?.retention.start();
        await local?.exports.startAlone();
        await agents?.startAlone();
        signal.throwIfAborted();
        watched.start();
        reports?.start();
        monitoring.started();
        return publicUrl();
    };
    let closed: Promise<void> | undefined;

    return {
        listen: (listenOptions = {}) => start.run((signal) => listen(listenOptions, signal)),
        get url() {
            return publicUrl();
        },
        createSignInLink: () => dashboard?.createSignInLink(),
        close: () => (closed ??= close()),
    };
}

/** Reads the secrets; some may be in the data folder, so it must exist. @throws ServiceOptionsError */
function readSecrets(options: ServiceOptions, logger: ServiceLogger) {
    const { adminApiKey, webhookSecret: secret } = options;
    const operatorKeys = new OperatorKeys({
        read: typeof adminApiKey === "string" ? () => adminApiKey : adminApiKey,
        logger,
    });
    const webhookSecret = typeof secret === "function" ? secret() : secret;
    if (webhookSecret !== undefined) {
        assertWebhookSecret(webhookSecret);
    }
    return {
        operatorKeys,
        webhookSecret,
        oidc: options.oidc === undefined ? undefined : resolveOidc(options.oidc),
    };
}

function openServiceParts(
    dataDir: string,
    { bucket, health, clock, database }: ServiceOptions,
    watched: WatchedSites,
    logger: ServiceLogger,
): Parts {
    return openParts({
        role: database === undefined ? "alone" : "api",
        dataDir,
        database,
        bucket,
        domains: [...watched.sites.keys()],
        siteFaults: () => watched.faults,
        health,
        clock,
        logger,
    });
}

/** With a shared database, workers run the exports. */
function createRunners(
    parts: Parts,
    options: ServiceOptions,
    { limits, watched, gitTokens, agent, configuredUrl }: ReturnType<typeof resolveOptions>,
) {
    const isAlone = parts.role === "alone";
    const publicUrl = options.dashboard === false ? undefined : configuredUrl;
    return {
        local: isAlone ? createExportRunner(parts, { options, limits, sites: watched, gitTokens }) : undefined,
        reports: isAlone
            ? new WorkerReports(parts.workers, {
                  id: parts.workerId,
                  kind: "export",
                  concurrency: limits.concurrency,
                  startedAt: new Date(parts.clock()),
              })
            : undefined,
        agents: agent === undefined ? undefined : createAgentRunner(parts, { ...limits, agent, publicUrl }),
    };
}

function factsOf({ version, database, bucket }: ServiceOptions, limits: ServiceLimits, now: number): ServiceFacts {
    return {
        version: version ?? "unknown",
        database: database === undefined ? "embedded" : "postgresql",
        storage: bucket === undefined ? "folder" : "bucket",
        limits: numbersOf(limits),
        startedAt: new Date(now),
    };
}

/** Authors of a site can publish any script, and browsers trust hosts of one domain more than others. */
function warnOfSharedDomain(publicUrl: string | undefined, domains: readonly string[], logger: ServiceLogger): void {
    if (publicUrl === undefined) {
        return;
    }
    const { hostname } = new URL(publicUrl);
    const shared = registrableDomainOf(hostname);
    const site = domains.find((domain) => shared !== undefined && registrableDomainOf(domain) === shared);
    if (site !== undefined) {
        logger.info(
            `The dashboard at ${hostname} and the site ${site} share the domain ${shared}: give the dashboard a domain ` +
                "that no site has.",
        );
    }
}

/** The last two labels, or three below short second-level domains such as co.uk; undefined for an IP address. */
function registrableDomainOf(host: string): string | undefined {
    const labels = host.split(".");
    const [second = "", top = ""] = labels.slice(-2);
    const count = top.length === 2 && second.length <= 3 ? 3 : 2;
    return labels.length < 2 || /^[\d.:[\]]+$/.test(host) ? undefined : labels.slice(-count).join(".");
}

/** Returns the function after whose call each response closes its connection; it waits for the given time. */
function addDraining(app: App): (drainMs: number) => Promise<void> {
    let isDraining = false;
    app.addHook("onSend", (_request, reply, payload, done) => {
        if (isDraining) {
            void reply.header("connection", "close");
        }
        done(null, payload);
    });
    return async (drainMs) => {
        isDraining = true;
        if (app.server.listening && drainMs > 0) {
            await sleep(drainMs);
        }
    };
}

/** @throws ServiceOptionsError for a host that is not an address for clients */
function assertReachable(host: string, configuredUrl: string | undefined): void {
    if (configuredUrl === undefined && ["0.0.0.0", "::", ""].includes(host)) {
        throw new ServiceOptionsError(
            `Listening on every address ("${host}") needs a public address: ` +
                "bundle links must name one that clients reach.",
        );
    }
}

/** Checks all options before writing anything. @throws ServiceOptionsError */
function resolveOptions(options: ServiceOptions, logger: ServiceLogger) {
    if (typeof options.adminApiKey === "string") {
        parseAdminApiKeys(options.adminApiKey);
    }
    const limits = resolveLimits(options);
    const watched = new WatchedSites({
        ...options,
        logger,
        check: (sites) => void resolvePreviewDomains(options.previewDomains, sites),
        checkSite: (domain, site, realPlace) => assertNothingSecretPublished(options, domain, site, realPlace),
    });
    const previewDomains = resolvePreviewDomains(options.previewDomains, watched.sites);
    const gitTokens = resolveGitTokens(options.gitTokens);
    const agent = options.agent === undefined ? undefined : resolveAgent(options.agent);
    const projects = resolveProjects(options.projects ?? {});
    assertProjectsOnForge(projects, agent);
    assertSharedParts(options);
    const configuredUrl = options.publicUrl === undefined ? undefined : resolvePublicUrl(options.publicUrl);
    if (options.bucket !== undefined) {
        assertFollowed(resolveBucket(options.bucket), configuredUrl);
    }
    return { limits, watched, previewDomains, gitTokens, agent, projects, configuredUrl };
}
