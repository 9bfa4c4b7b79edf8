import { builderKeys, type BuilderSettings, isBuilderKey, readBuilderSetting } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The limits of a build, which end all of its processes. */
export interface BuildLimits {
    readonly timeoutSeconds: number;
    /** For all processes together. */
    readonly memoryMegabytes: number;
    /** For the checkout, the home folder, the temporary files and the cache together. */
    readonly diskMegabytes: number;
    /** For the checkout, the home folder, the temporary files and the cache together. */
    readonly maxFiles: number;
    readonly maxProcesses: number;
    /** A larger cache is not kept for the site's next build. */
    readonly cacheMegabytes: number;
}

/** The operator's permission to run a site's own builder, and settings that come before the repository's. */
export interface SiteBuild extends Partial<BuilderSettings> {
    /** Names of environment variables of the service that the build gets. */
    readonly environment: readonly string[];
    readonly limits: BuildLimits;
}

const defaultLimits: BuildLimits = {
    timeoutSeconds: 900,
    memoryMegabytes: 2048,
    diskMegabytes: 4096,
    maxFiles: 500_000,
    maxProcesses: 256,
    cacheMegabytes: 1024,
};

/** Reads `build` of a site in the sites file. @throws ServiceOptionsError */
export function readSiteBuild(domain: string, value: unknown): SiteBuild | undefined {
    if (value === undefined || value === false) {
        return undefined;
    }
    if (value === true) {
        return { environment: [], limits: defaultLimits };
    }
    const fail = (reason: string): never => {
        throw new ServiceOptionsError(`Site ${domain}: ${reason}`);
    };
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return fail("build must be true, or hold settings such as command and outputFolder.");
    }
    const limits: { -readonly [Name in keyof BuildLimits]: number } = { ...defaultLimits };
    let environment: readonly string[] = [];
    const settings: Record<string, string | true> = {};
    for (const [name, setting] of Object.entries(value) as [string, unknown][]) {
        if (name === "environment") {
            const isList = Array.isArray(setting) && setting.every((each) => /^[A-Za-z_]\w*$/.test(String(each)));
            environment = isList ? setting.map(String) : fail("build.environment must list names of variables.");
        } else if (Object.hasOwn(defaultLimits, name)) {
            const least = name === "cacheMegabytes" ? 0 : 1;
            limits[name as keyof BuildLimits] =
                Number.isSafeInteger(setting) && Number(setting) >= least
                    ? Number(setting)
                    : fail(`build.${name} must be a whole number of at least ${least}.`);
        } else if (isBuilderKey(name)) {
            try {
                settings[name] = readBuilderSetting(name, setting);
            } catch (error) {
                fail((error as Error).message);
            }
        } else {
            const known = [...builderKeys, "environment", ...Object.keys(defaultLimits)];
            fail(`build.${name} is unknown; use ${known.join(", ")}.`);
        }
    }
    return { ...(settings as Partial<BuilderSettings>), environment, limits };
}
