import { type DeploymentType } from "@pulumi-static-export/contract";
import { type BucketOptions, type HealthAddress, type PodsOptions } from "@pulumi-static-export/service";
import { type FlagSettings } from "@pulumi-static-export/service/options";
import { resolve } from "node:path";
import { type Option } from "commander";
import { listeningHost } from "../command-line/listening-host.js";
import {
    deploymentOptions,
    type PrivatePagesSettings,
    privatePagesOptions,
    readPrivatePages,
} from "../command-line/options.js";
import { readManifest } from "../command-line/package-manifest.js";
import { UsageError } from "../command-line/usage-error.js";
import { createServiceLog, type LogFormat, logFormatOption } from "./service-log.js";

/** The flags of services and workers. */
export interface JobSettings extends FlagSettings, PrivatePagesSettings {
    deployment: DeploymentType;
    answer: boolean;
    logFormat: LogFormat;
}

/** The flags in addition to those of the service's options. */
export function otherFlags(): readonly Option[] {
    return [...deploymentOptions("bundles are"), ...privatePagesOptions(), logFormatOption()];
}

/** Converts the flags to the options of the service. @throws UsageError */
export function readJobSettings(settings: JobSettings) {
    const { gitTokenEnv = {} } = settings;
    return {
        ...settings,
        dataDir: resolve(settings.dataDir),
        pods: readPods(settings),
        gitTokens: readGitTokens(gitTokenEnv, process.env),
        bucket: readBucket(settings),
        privatePages: readPrivatePages(settings),
        health: readHealth(settings),
        logger: createServiceLog(settings.logFormat),
    };
}

/** The sites, as text for the first line of a log. */
export function describeSites({ sites = {}, sitesFile }: FlagSettings): string {
    const inFile = sitesFile === undefined ? [] : [`the sites in ${sitesFile}`];
    return [...Object.keys(sites), ...inFile].join(", ");
}

/** Where a process stores its files, as lines of the log. */
export function describeStorage({
    dataDir,
    bucketUrl,
}: Pick<FlagSettings, "dataDir" | "bucketUrl">): (readonly [name: string, value: string])[] {
    const bundles = bucketUrl === undefined ? [] : [["bundles", `in ${bucketUrl}`] as const];
    return [["data", `in ${resolve(dataDir)}`], ...bundles];
}

export function readHealth({ health }: FlagSettings): HealthAddress | undefined {
    return health && { host: listeningHost(health.host), port: health.port, version: readManifest().version };
}

/** Where builds or agents run in pods. */
export function readPods({ pods: file, podsListen }: FlagSettings): PodsOptions | undefined {
    return file === undefined ? undefined : { file, host: listeningHost(podsListen.host), port: podsListen.port };
}

/** @throws UsageError for an endpoint without a bucket */
export function readBucket(settings: Partial<FlagSettings>): BucketOptions | undefined {
    const { bucketUrl: url, bucketEndpoint: endpoint, bucketPublicEndpoint: publicEndpoint } = settings;
    if (url === undefined && (endpoint !== undefined || publicEndpoint !== undefined)) {
        throw new UsageError("--bucket-endpoint and --bucket-public-endpoint belong to a bucket: give --bucket, too.");
    }
    return url === undefined ? undefined : { url, endpoint, publicEndpoint };
}

/** The tokens by origin. @throws UsageError */
export function readGitTokens(names: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
    return Object.fromEntries(
        Object.entries(names).map(([origin, name]) => {
            const token = env[name];
            if (!token) {
                throw new UsageError(`--git-token-env ${origin}=${name}: the environment variable ${name} is not set.`);
            }
            return [origin, token];
        }),
    );
}
