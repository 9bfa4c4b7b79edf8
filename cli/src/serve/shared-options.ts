import { type DeploymentType } from "@pulumi-static-export/contract";
import { type HealthAddress } from "@pulumi-static-export/service";
import { isIPv4 } from "node:net";
import { resolve } from "node:path";
import { Option, InvalidArgumentError } from "commander";
import { listeningHost } from "../command-line/listening-host.js";
import {
    deploymentOptions,
    type PrivatePagesSettings,
    privatePagesOptions,
    readPrivatePages,
    readWholeNumber,
} from "../command-line/options.js";
import { readManifest } from "../command-line/package-manifest.js";
import { type BucketSettings, readBucket } from "./bucket-options.js";
import { readLimits } from "./limit-options.js";
import { createServiceLog, type LogFormat } from "./service-log.js";
import { UsageError } from "../command-line/usage-error.js";
import { readPair, withEntry } from "./named-values.js";

/** The options that services and workers share, parsed. */
export interface JobSettings extends BucketSettings, PrivatePagesSettings {
    dataDir: string;
    site?: Record<string, string>;
    sitesFile?: string;
    buildsShareNetwork: boolean;
    buildsReach?: readonly string[];
    buildsUrl?: string;
    buildsKeyEnv: string;
    gitTokenEnv?: Record<string, string>;
    strict: boolean;
    deployment: DeploymentType;
    acknowledgeTryIt: boolean;
    answer: boolean;
    fault?: string[];
    health?: HealthAddress;
    logFormat: LogFormat;
}

export function bundleOptions(): readonly Option[] {
    return [
        new Option("--strict", "fail jobs of sites that have warnings, such as dead links").default(false),
        ...deploymentOptions("bundles are"),
        ...privatePagesOptions(),
    ];
}

/** Converts the parsed options to those of the service package. @throws UsageError */
export function readJobSettings(settings: JobSettings) {
    const bucket = readBucket(settings);
    return {
        dataDir: resolve(settings.dataDir),
        ...(settings.site !== undefined && { sites: settings.site }),
        ...(settings.sitesFile !== undefined && { sitesFile: resolve(settings.sitesFile) }),
        buildsShareNetwork: settings.buildsShareNetwork,
        ...(settings.buildsReach !== undefined && { buildsReach: settings.buildsReach }),
        ...(settings.buildsUrl !== undefined && {
            builds: { url: readBuildsUrl(settings.buildsUrl), key: readBuildsKey(settings.buildsKeyEnv) },
        }),
        ...(settings.gitTokenEnv !== undefined && { gitTokens: readGitTokens(settings.gitTokenEnv, process.env) }),
        ...(bucket !== undefined && { bucket }),
        ...readLimits(settings),
        strict: settings.strict,
        deployment: settings.deployment,
        acknowledgeTryIt: settings.acknowledgeTryIt,
        answer: settings.answer,
        privatePages: readPrivatePages(settings),
        ...(settings.fault !== undefined && { faults: settings.fault }),
        ...(settings.health !== undefined && { health: settings.health }),
        logger: createServiceLog(settings.logFormat),
    };
}

/** The sites, as text for the first line of a log. */
export function describeSites({ site, sitesFile }: Pick<JobSettings, "site" | "sitesFile">): string {
    const inFile = sitesFile === undefined ? [] : [`the sites in ${sitesFile}`];
    return [...Object.keys(site ?? {}), ...inFile].join(", ");
}

export function sitesFileOption(): Option {
    return new Option(
        "--sites-file <file>",
        "file with a line such as docs.example.com=./docs for each site, or YAML that also allows builds; its changes " +
            "apply without a restart",
    );
}

export function buildsNetworkOptions(): readonly Option[] {
    return [
        new Option(
            "--builds-share-network",
            "let sites' builds use this machine's network, with everything that the service reaches (default: public " +
                "addresses only, if passt is installed, and otherwise none)",
        ).default(false),
        new Option(
            "--builds-reach <network>",
            "private IPv4 address or network, such as 10.1.2.0/24, that sites' builds reach as well (repeatable)",
        ).argParser((text: string, networks: readonly string[] = []) => [...networks, readNetwork(text)]),
        new Option(
            "--builds-url <url>",
            "let build workers (`static-export work --builds`) at this address build sites",
        ),
        buildsKeyOption(),
    ];
}

function buildsKeyOption(): Option {
    return new Option(
        "--builds-key-env <name>",
        "environment variable with the key of build workers, at least 16 characters",
    ).default("STATIC_EXPORT_BUILDS_KEY");
}

/** @throws UsageError */
function readBuildsUrl(url: string): string {
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
        throw new UsageError(`--builds-url ${url} must be an http or https URL, such as http://builds:8790.`);
    }
    return url;
}

/** The key of build workers. @throws UsageError */
export function readBuildsKey(name: string): string {
    const key = process.env[name];
    if (!key) {
        throw new UsageError(`Build workers need a key: set the environment variable ${name}.`);
    }
    return key;
}

function readNetwork(text: string): string {
    const [address = "", length = "32", ...rest] = text.split("/");
    if (!isIPv4(address) || rest.length > 0 || !/^(?:[1-9]|[12]\d|3[0-2])$/.test(length)) {
        throw new InvalidArgumentError("Write it as 10.1.2.3, or as 10.1.2.0/24.");
    }
    return `${address}/${length}`;
}

/** @param description what the process does in this time */
export function graceOption(description: string): Option {
    return new Option("--grace-seconds <seconds>", description)
        .argParser((text) => readWholeNumber(text, 0, 3600))
        .default(0);
}

export function healthOption(): Option {
    return new Option(
        "--health <host:port>",
        "answer /livez, /readyz and /metrics there, without a key (default: nowhere)",
    ).argParser(readHealthAddress);
}

export function readHealthAddress(text: string): HealthAddress {
    const [, host, port] =
        /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)?.filter((part) => part !== undefined) ?? [];
    if (host === undefined || Number(port) > 65_535) {
        throw new InvalidArgumentError("Write it as 127.0.0.1:9090, or as [::]:9090 for every address.");
    }
    return { host: listeningHost(host), port: Number(port), version: readManifest().version };
}

/** The option that names the variable with the token for each origin. */
export function gitTokenOption(): Option {
    return new Option(
        "--git-token-env <origin=name>",
        "environment variable with the token, or user:password, for sites in repositories of an origin (repeatable)",
    ).argParser((text: string, names: Record<string, string> = {}) => {
        const [origin, name] = readPair(text, "https://git.example.com=DOCS_GIT_TOKEN");
        return withEntry(names, origin, name);
    });
}

/** The tokens by origin. @throws UsageError */
function readGitTokens(names: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
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
