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

interface BuildEnvironment {
    readonly variables: Readonly<Record<string, string>>;
    /** Values that no log may contain. */
    readonly secrets: readonly string[];
    /** Files that the variables name. */
    readonly files: readonly string[];
}

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

/** The user and password of a proxy. */
function passwordOf(address: string): string[] {
    const { username = "", password = "" } = URL.canParse(address) ? new URL(address) : {};
    return [decodeURIComponent(password), password, username && password && `${username}:${password}`].filter(
        (value) => value !== "",
    );
}
