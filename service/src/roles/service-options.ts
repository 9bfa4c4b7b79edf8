import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type AgentOptions } from "../agents/agent-options.js";
import { readSiteBuild } from "../builds/site-build.js";
import { type BucketOptions } from "../storage/bucket-options.js";
import {
    canonicalDomain,
    findAddressFault,
    isDomain,
    parseBasePath,
    trimTrailing,
} from "@pulumi-static-export/contract";
import { type Exporter } from "@pulumi-static-export/exporter";
import { type OidcOptions } from "../dashboard/sign-in/oidc-options.js";
import { parseDatabaseUrl } from "../database/postgres-address.js";
import { parseGitSource } from "../exports/git-source.js";
import { type ExportSettings } from "../exports/run-export.js";
import { type Site } from "../exports/site.js";
import { isBranchName, isRepositoryUrl, mayHoldToken } from "../git/repository-names.js";
import { type RequestLogEntry } from "../http/request-log.js";
import { type HealthAddress } from "../monitoring/health-server.js";
import { type LimitOptions, type TableOptions } from "../options/option-table.js";
import { type PodsOptions } from "../pods/pod-jobs.js";
import { type ServiceLogger } from "../shared/logger.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type AgentProject } from "../agents/agent-job-store.js";

/** The options that must be the same for services and workers of exports. */
export interface ExportOptions
    extends
        ExportSettings,
        LimitOptions,
        Pick<TableOptions, "sites" | "sitesFile" | "buildsShareNetwork" | "buildsReach" | "buildsNeedKernel"> {
    dataDir: string;
    /** The bucket for bundles. Needs a PostgreSQL database. @default the data folder */
    bucket?: BucketOptions | undefined;
    /** @default builds run on this process's machine */
    pods?: PodsOptions | undefined;
    /** Files with secrets, by their name in messages: no site may publish one. @default none */
    secretFiles?: Readonly<Record<string, string>>;
    /**
     * Tokens, or `user:password`, for repositories of sites, by origin, such as `https://git.example.com`. Each token
     * is sent only to its origin.
     * @default none
     */
    gitTokens?: Readonly<Record<string, string>> | undefined;
    /** Exports a folder as an archive. @default the site exporter, in separate processes */
    exporter?: Exporter;
    /** Milliseconds since 1970. @default the time of the shared database, or of this machine */
    clock?: () => number;
    /** @default no logging */
    logger?: ServiceLogger;
    /** The address at which `/livez`, `/readyz` and `/metrics` are answered without a key. @default nowhere */
    health?: HealthAddress | undefined;
}

export interface ServiceOptions
    extends
        ExportOptions,
        Pick<TableOptions, "database" | "publicUrl" | "trustedProxies" | "previewDomains" | "dashboard" | "drainMs"> {
    /**
     * The key that clients send as `Authorization: Bearer …`; or several, one per line, while one replaces another. A
     * function reads them, after the data folder was checked and created, and again every five seconds.
     */
    adminApiKey: string | (() => string);
    /**
     * The secret, of at least 16 characters, with which forges authenticate webhooks; or a function that reads it,
     * called after the data folder was checked and created. Without a secret, webhooks get 403.
     * @default none
     */
    webhookSecret?: string | (() => string) | undefined;
    /** The projects in which agent jobs may be created, by project id. @default none */
    projects?: Readonly<Record<string, AgentProject>> | undefined;
    /**
     * The command that runs the prompts of agent jobs. Without it, jobs stay active until they are archived.
     * @default none
     */
    agent?: AgentOptions | undefined;
    /** The identity provider with which people sign in. Without it, people need an admin key. @default none */
    oidc?: OidcOptions | undefined;
    /** The release that operators see. @default "unknown" */
    version?: string;
    /** Called for every request after its response has ended. */
    onRequest?: (entry: RequestLogEntry) => void;
}

/** @throws ServiceOptionsError; the message does not show the secret */
export function assertWebhookSecret(secret: string): void {
    if (!/^[\x21-\x7e]{16,}$/.test(secret)) {
        throw new ServiceOptionsError(
            "The webhooks' secret must have at least 16 visible ASCII characters and no white space: create one with " +
                "openssl rand -hex 32, and give it to the forge.",
        );
    }
}

/** @throws ServiceOptionsError for a bucket without a shared database, or an agent with a shared database */
export function assertSharedParts({ database, bucket, agent }: ServiceOptions): void {
    if (database === undefined) {
        if (bucket !== undefined) {
            throw new ServiceOptionsError(
                "A bucket needs a PostgreSQL database: give its address, or leave out the bucket.",
            );
        }
        return;
    }
    parseDatabaseUrl(database);
    if (agent !== undefined) {
        throw new ServiceOptionsError(
            "Agents do not run in a service that shares its database: give the agent's command to separate workers " +
                "(static-export work), and only the projects to the service.",
        );
    }
}

/**
 * One site, with its canonical domain.
 * @param build as in the sites file
 * @throws ServiceOptionsError
 */
export function resolveSite(address: string, place: string, build?: unknown): { domain: string; site: Site } {
    const [, domain = "", path] = /^([^/]*)(\/.*)?$/.exec(address) ?? [];
    const basePath = path === undefined ? undefined : parseBasePath(path);
    if (!isDomain(domain) || (path !== undefined && basePath === undefined)) {
        throw new ServiceOptionsError(
            `Site "${address}": the domain must be a host name such as docs.example.com, or one with the path below ` +
                "which the site is served, such as example.com/docs.",
        );
    }
    const source = parseGitSource(domain, place) ?? resolve(place);
    const permission = readSiteBuild(domain, build);
    if (permission !== undefined && typeof source === "string") {
        throw new ServiceOptionsError(
            `Site ${domain}: a build needs a repository (git+https://…), because it may change all files of its folder.`,
        );
    }
    const site = { source, basePath, ...(permission === undefined ? {} : { build: permission }) };
    return { domain: canonicalDomain(domain), site };
}

/** Why a site cannot be read, if its folder is missing. */
export function findMissingFolder(domain: string, { source }: Site): string | undefined {
    return typeof source !== "string" || statSync(source, { throwIfNoEntry: false })?.isDirectory()
        ? undefined
        : `Site ${domain}: there is no folder ${source}.`;
}

/** @throws ServiceOptionsError */
export function resolveProjects(projects: Readonly<Record<string, AgentProject>>): Map<string, AgentProject> {
    for (const [projectId, { repository, ref }] of Object.entries(projects)) {
        if (!isRepositoryUrl(repository)) {
            throw new ServiceOptionsError(
                `Project ${projectId}: the repository must be a full URL (https, http, ssh or file), such as ` +
                    "https://github.com/owner/name.",
            );
        }
        assertWithoutToken(projectId, repository);
        if (ref !== undefined && !isBranchName(ref)) {
            throw new ServiceOptionsError(`Project ${projectId}: ${JSON.stringify(ref)} is not the name of a branch.`);
        }
    }
    return new Map(Object.entries(projects));
}

/** Refuses a repository's URL that may contain a token; the message does not repeat the URL. */
function assertWithoutToken(projectId: string, repository: string): void {
    if (mayHoldToken(repository)) {
        throw new ServiceOptionsError(
            `Project ${projectId}: the repository's URL must not contain a user, password, query or fragment, because ` +
                "every job shows the URL. For https, put the token into the environment variable that " +
                "--agent-forge-token-env names. For ssh, the service's user needs the key.",
        );
    }
}

/** Validates the service's address for clients, and removes trailing slashes. @throws ServiceOptionsError */
export function resolvePublicUrl(publicUrl: string): string {
    const url = findAddressFault(publicUrl) === "not-http" ? undefined : new URL(publicUrl);
    if (url === undefined || url.search !== "" || url.hash !== "") {
        throw new ServiceOptionsError(
            `The public address "${publicUrl}" must be an http or https URL without a query, such as ` +
                "https://docs-admin.example.net.",
        );
    }
    if (`${url.username}${url.password}` !== "") {
        throw new ServiceOptionsError(
            "The public address must not contain a user or a password, because every link contains it.",
        );
    }
    return trimTrailing(url.href, "/");
}
