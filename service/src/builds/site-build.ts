import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The limits of a build, which end all of its processes. */
export interface BuildLimits {
    readonly timeoutSeconds: number;
    /** For all processes together. */
    readonly memoryMegabytes: number;
    /** For the checkout, the home folder and the temporary files together. */
    readonly diskMegabytes: number;
    /** For the checkout, the home folder and the temporary files together. */
    readonly maxFiles: number;
    readonly maxProcesses: number;
}

/** The operator's permission to run a site's own builder. */
export interface SiteBuild {
    /** The command; undefined to take it from the repository. */
    readonly command?: string;
    readonly outputFolder?: string;
    readonly baseFolder?: string;
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
};

const texts = ["command", "outputFolder", "baseFolder"] as const;

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
    const build: { -readonly [Name in keyof SiteBuild]: SiteBuild[Name] } = { environment: [], limits };
    for (const [name, setting] of Object.entries(value) as [string, unknown][]) {
        if (name === "environment") {
            const isList = Array.isArray(setting) && setting.every((each) => /^[A-Za-z_]\w*$/.test(String(each)));
            build.environment = isList ? setting.map(String) : fail("build.environment must list names of variables.");
        } else if (Object.hasOwn(defaultLimits, name)) {
            const isCount = Number.isSafeInteger(setting) && Number(setting) >= 1;
            limits[name as keyof BuildLimits] = isCount
                ? Number(setting)
                : fail(`build.${name} must be a whole number of at least 1.`);
        } else if ((texts as readonly string[]).includes(name)) {
            build[name as (typeof texts)[number]] =
                typeof setting === "string" && setting.trim() !== "" ? setting : fail(`build.${name} must be a text.`);
        } else {
            fail(
                `build.${name} is unknown; use ${[...texts, "environment", ...Object.keys(defaultLimits)].join(", ")}.`,
            );
        }
    }
    return build;
}
