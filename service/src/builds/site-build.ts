import { maxTimerSeconds } from "@pulumi-static-export/contract";
import { builderKeys, type BuilderSettings, isBuilderKey, readBuilderSetting } from "@pulumi-static-export/exporter";
import { fixedVariables } from "./build-environment.js";
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
    /** How many commits of the repository the build sees, with their tags. */
    readonly historyCommits: number;
}

/** The operator's permission to run a site's own builder, and settings that come before the repository's. */
export interface SiteBuild extends Partial<BuilderSettings> {
    /** Names of environment variables of the service that the build gets. */
    readonly environment: readonly string[];
    /** Further names, whose values previews do not get. */
    readonly productionEnvironment?: readonly string[];
    /** Variables with values that are not secret. */
    readonly variables?: Readonly<Record<string, string>>;
    readonly limits: BuildLimits;
    /** The image of the build's pod. @default the operator's image for all builds */
    readonly image?: string;
}

const defaultLimits: BuildLimits = {
    timeoutSeconds: 900,
    memoryMegabytes: 2048,
    diskMegabytes: 4096,
    maxFiles: 500_000,
    maxProcesses: 256,
    cacheMegabytes: 1024,
    historyCommits: 1000,
};

/** Git counts commits in 31 bits. */
const maxAmount = 2_000_000_000;

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
        return fail("build must be true, or contain settings such as command and outputFolder.");
    }
    const limits: { -readonly [Name in keyof BuildLimits]: number } = { ...defaultLimits };
    const names: Record<string, readonly string[]> = { environment: [] };
    const variables: Record<string, string> = {};
    const settings: Record<string, string | boolean> = {};
    let image: string | undefined;
    for (const [name, setting] of Object.entries(value) as [string, unknown][]) {
        if (name === "environment" || name === "productionEnvironment") {
            const isList = Array.isArray(setting) && setting.every(isVariable);
            names[name] = isList ? setting.map(String) : fail(`build.${name} must list names of variables.`);
        } else if (name === "variables") {
            const entries = typeof setting === "object" && setting !== null ? Object.entries(setting) : [];
            for (const [variable, text] of entries) {
                variables[variable] =
                    isVariable(variable) && ["string", "number", "boolean"].includes(typeof text)
                        ? String(text)
                        : fail(`build.variables.${variable} must be a string, under the name of a variable.`);
            }
        } else if (name === "image") {
            const isImage = typeof setting === "string" && /^[\w./:@-]+$/.test(setting);
            image = isImage ? setting : fail("build.image must be the name of an image.");
        } else if (Object.hasOwn(defaultLimits, name)) {
            const least = name === "cacheMegabytes" ? 0 : 1;
            const greatest = name === "timeoutSeconds" ? maxTimerSeconds : maxAmount;
            limits[name as keyof BuildLimits] =
                Number.isSafeInteger(setting) && Number(setting) >= least && Number(setting) <= greatest
                    ? Number(setting)
                    : fail(`build.${name} must be a whole number from ${least} to ${greatest}.`);
        } else if (isBuilderKey(name)) {
            try {
                settings[name] = readBuilderSetting(name, setting);
            } catch (error) {
                fail((error as Error).message);
            }
        } else {
            const known = [
                ...builderKeys,
                ...["environment", "productionEnvironment", "variables", "image"],
                ...Object.keys(defaultLimits),
            ];
            fail(`build.${name} is unknown; use ${known.join(", ")}.`);
        }
    }
    for (const [key, given] of Object.entries({ ...names, variables: Object.keys(variables) })) {
        const fixed = given.find((variable) => fixedVariables.has(variable));
        if (fixed !== undefined) {
            fail(`build.${key} must not contain ${fixed}, which the service sets itself: set it in the command.`);
        }
    }
    const { environment = [], productionEnvironment } = names;
    return {
        ...(settings as Partial<BuilderSettings>),
        environment,
        ...(productionEnvironment === undefined ? {} : { productionEnvironment }),
        ...(Object.keys(variables).length === 0 ? {} : { variables }),
        limits,
        ...(image === undefined ? {} : { image }),
    };
}

function isVariable(name: unknown): boolean {
    return /^[A-Za-z_]\w*$/.test(String(name));
}

/** Identifies the version that a build builds. */
interface BuiltVersion {
    /** The address of the site. */
    readonly url: string;
    readonly branch: string;
    readonly commit: string;
    readonly isPreview: boolean;
}

/** The build of one version: with variables that name it, and in previews without the operator's other secrets. */
export function buildOf(build: SiteBuild, { url, branch, commit, isPreview }: BuiltVersion): SiteBuild {
    const { environment, productionEnvironment = [], variables, ...others } = build;
    return {
        ...others,
        environment: isPreview ? environment : [...environment, ...productionEnvironment],
        variables: {
            STATIC_EXPORT_URL: url,
            STATIC_EXPORT_BRANCH: branch,
            STATIC_EXPORT_COMMIT: commit,
            STATIC_EXPORT_PREVIEW: String(isPreview),
            ...variables,
        },
    };
}
