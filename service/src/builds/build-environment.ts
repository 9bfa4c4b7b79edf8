import { join } from "node:path";
import { unescape } from "node:querystring";
import { readTheDocsOutput } from "@pulumi-static-export/exporter";
import { runVariable } from "../processes/process-mark.js";
import { userVariables } from "../processes/program-user.js";
import { cacheVariables } from "./build-caches.js";

/** The variables with the machine's own certificates. */
const certificates = [
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

const proxies = ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

export interface BuildEnvironment {
    readonly variables: Readonly<Record<string, string>>;
    /** Values that no log may contain. */
    readonly secrets: readonly string[];
    /** Files that the variables name. */
    readonly files: readonly string[];
}

/** The variables of every build that its site and its operator may change. */
export function usualVariables(home: string): Record<string, string> {
    return {
        LANG: "C.UTF-8",
        CI: "true",
        ...userVariables("build"),
        // Debian's pip refuses to install packages without a virtual environment, also in a home folder of a build.
        PIP_BREAK_SYSTEM_PACKAGES: "1",
        ...cacheVariables(home),
    };
}

/**
 * Further ones of a build without a network: without them, package managers try for more than a minute to reach their
 * registry.
 */
export const offlineVariables: Readonly<Record<string, string>> = {
    npm_config_offline: "true",
    pnpm_config_offline: "true",
    YARN_ENABLE_NETWORK: "false",
    UV_OFFLINE: "1",
    CARGO_NET_OFFLINE: "true",
    PIP_RETRIES: "0",
};

interface BuildPlaces {
    /** The folder of the command. */
    readonly base: string;
    readonly home: string;
    readonly temporary: string;
}

/** The variables of every build that name its folders. */
export function placeVariables({ base, home, temporary }: BuildPlaces): Record<string, string> {
    return {
        HOME: home,
        TMPDIR: temporary,
        READTHEDOCS_OUTPUT: join(base, readTheDocsOutput),
        READTHEDOCS_VIRTUALENV_PATH: join(home, "envs/latest"),
    };
}

const noPlaces = { base: "", home: "", temporary: "" };

/** The variables whose values nobody may change. */
export const fixedVariables: ReadonlySet<string> = new Set([
    "PATH",
    runVariable,
    ...Object.keys(placeVariables(noPlaces)),
]);

/**
 * The variables of the service that a build gets: those that the operator names, and the certificates and proxies of
 * the network.
 * @throws an error that says which named variable is missing
 */
export function buildEnvironment(
    names: readonly string[],
    env: NodeJS.ProcessEnv,
    hasNetwork: boolean,
): BuildEnvironment {
    const valuesOf = (each: readonly string[]) =>
        Object.fromEntries(each.flatMap((name) => (env[name] ? [[name, env[name]]] : []))) as Record<string, string>;
    const missing = names.find((name) => env[name] === undefined);
    if (missing !== undefined) {
        throw new Error(
            `The build needs the environment variable ${missing}, which is not set: set it where the service starts.`,
        );
    }
    const [given, ofProxies, ofCertificates] = [names, proxies, certificates].map(valuesOf) as [
        Record<string, string>,
        Record<string, string>,
        Record<string, string>,
    ];
    if (!hasNetwork) {
        return { variables: given, secrets: Object.values(given), files: [] };
    }
    return {
        variables: { ...ofProxies, ...ofCertificates, ...given },
        secrets: [...Object.values(given), ...Object.values(ofProxies).flatMap(passwordOf)],
        files: Object.values(ofCertificates),
    };
}

/** The password of an address, such as that of a proxy, with and without its user. */
export function passwordOf(address: string): string[] {
    const { username = "", password = "" } = URL.canParse(address) ? new URL(address) : {};
    return [unescape(password), password, username && password && `${username}:${password}`].filter(
        (value) => value !== "",
    );
}
