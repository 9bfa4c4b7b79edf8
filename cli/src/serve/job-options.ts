import { type DeploymentType } from "@pulumi-static-export/contract";
import { type HealthAddress } from "@pulumi-static-export/service";
import { resolve } from "node:path";
import { Option } from "commander";
import {
    deploymentOptions,
    type PrivatePagesSettings,
    privatePagesOptions,
    readCount,
    readPrivatePages,
    readSeconds,
} from "../command-line/options.js";
import { type BucketSettings, readBucket } from "./bucket-options.js";
import { readGitTokens } from "./git-token-option.js";
import { createServiceLog, type LogFormat } from "./service-log.js";

/** The options that services and workers share, parsed. */
export interface JobSettings extends BucketSettings, PrivatePagesSettings {
    dataDir: string;
    site: Record<string, string>;
    gitTokenEnv?: Record<string, string>;
    linkTtlSeconds: number;
    jobTimeoutSeconds: number;
    exportMemoryMb: number;
    exportDiskMb: number;
    keepDays: number;
    keepJobs: number;
    strict: boolean;
    deployment: DeploymentType;
    acknowledgeTryIt: boolean;
    fault?: string[];
    health?: HealthAddress;
    logFormat: LogFormat;
}

export function limitOptions(): readonly Option[] {
    return [
        new Option("--job-timeout-seconds <seconds>", "time limit of one export job")
            .argParser(readSeconds)
            .default(900),
        new Option("--export-memory-mb <megabytes>", "memory of the heap of one export process")
            .argParser(readCount)
            .default(1024),
        new Option("--export-disk-mb <megabytes>", "disk for the output of one export and the cache of its site")
            .argParser(readCount)
            .default(4096),
    ];
}

export function retentionOptions(): readonly Option[] {
    return [
        new Option("--keep-days <days>", "remove finished jobs and bundles that were unused for this long")
            .argParser(readCount)
            .default(90),
        new Option("--keep-jobs <count>", "number of finished jobs to keep for each domain")
            .argParser(readCount)
            .default(200),
    ];
}

export function bundleOptions(): readonly Option[] {
    return [
        new Option("--strict", "fail jobs of sites that have warnings, such as dead links").default(false),
        ...deploymentOptions("bundles are"),
        ...privatePagesOptions(),
    ];
}

/** These settings in the service package's terms. @throws UsageError */
export function readJobSettings(settings: JobSettings) {
    const bucket = readBucket(settings);
    return {
        dataDir: resolve(settings.dataDir),
        sites: settings.site,
        ...(settings.gitTokenEnv !== undefined && { gitTokens: readGitTokens(settings.gitTokenEnv, process.env) }),
        ...(bucket !== undefined && { bucket }),
        linkTtlSeconds: settings.linkTtlSeconds,
        jobTimeoutSeconds: settings.jobTimeoutSeconds,
        exportMemoryMegabytes: settings.exportMemoryMb,
        exportDiskMegabytes: settings.exportDiskMb,
        keepDays: settings.keepDays,
        keepJobs: settings.keepJobs,
        strict: settings.strict,
        deployment: settings.deployment,
        acknowledgeTryIt: settings.acknowledgeTryIt,
        privatePages: readPrivatePages(settings),
        ...(settings.fault !== undefined && { faults: settings.fault }),
        ...(settings.health !== undefined && { health: settings.health }),
        logger: createServiceLog(settings.logFormat),
    };
}
