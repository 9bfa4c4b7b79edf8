import { readFile } from "node:fs/promises";
import type { Agent } from "node:http";
import { Agent as HttpsAgent, type AgentOptions } from "node:https";
import { BlockList, isIP } from "node:net";
import tls from "node:tls";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Thrown if the environment names an unusable proxy or file of certificates. The message contains neither the proxy's
 * user nor its password.
 */
export class ProxySettingError extends Error {
    override readonly name = "ProxySettingError";
    readonly code = "ERR_PROXY_SETTING";
}

/**
 * Returns the proxy for requests to a URL, or undefined if the environment names none. Reads `HTTPS_PROXY`,
 * `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` like curl, lower-case names first, but `HTTP_PROXY` in upper case, too.
 *
 * @throws ProxySettingError when the proxy is not an http or https URL
 */
export function findProxy(address: string, env: Environment = process.env): URL | undefined {
    const found = findSetting(address, env);
    if (found === undefined) {
        return undefined;
    }
    const full = found.proxy.includes("://") ? found.proxy : `http://${found.proxy}`;
    if (!URL.canParse(full) || !/^https?:/.test(full)) {
        throw new ProxySettingError(`${found.name} must name a proxy as http://host:port or https://host:port`);
    }
    return new URL(full);
}

/** Names the proxy for requests to a URL, and the variable that sets it, without the proxy's user and password. */
export function describeProxy(address: string, env: Environment = process.env): string | undefined {
    try {
        const proxy = findProxy(address, env);
        return proxy === undefined ? undefined : `${proxy.host} (${findSetting(address, env)?.name})`;
    } catch (error) {
        if (error instanceof ProxySettingError) {
            return undefined;
        }
        throw error;
    }
}

/**
 * Creates an agent that sends requests to a URL through the proxy that the environment names for that URL; returns
 * undefined if the environment names none.
 *
 * @throws ProxySettingError
 */
export async function createProxyAgent(address: string, options: AgentOptions = {}): Promise<Agent | undefined> {
    const proxy = findProxy(address);
    if (proxy === undefined) {
        return undefined;
    }
    // Both agents are ES modules, which a CommonJS package has to import dynamically.
    if (address.startsWith("https:")) {
        const { HttpsProxyAgent } = await import("https-proxy-agent");
        return new HttpsProxyAgent(proxy, options);
    }
    const { HttpProxyAgent } = await import("http-proxy-agent");
    return new HttpProxyAgent(proxy, options);
}

/** The connections that the AWS SDK opens at once by default. */
const awsConnections = 50;

/**
 * Creates the agents for a client of the AWS SDK, which itself reads neither the proxy nor `AWS_CA_BUNDLE`. As for the
 * other AWS tools, the bundle replaces the certificate authorities of this machine, but not `NODE_EXTRA_CA_CERTS`.
 * Node.js refuses to send requests to `http:` addresses, such as that of a token service, through an agent for TLS.
 *
 * @throws ProxySettingError
 */
export async function createAwsAgents(address: string): Promise<{ httpAgent?: Agent; httpsAgent?: Agent }> {
    const bundle = address.startsWith("https:") ? process.env["AWS_CA_BUNDLE"] : undefined;
    const options = bundle ? { ca: await readCertificates(bundle) } : {};
    const proxy = await createProxyAgent(address, options);
    if (proxy !== undefined) {
        return { httpAgent: proxy, httpsAgent: proxy };
    }
    return bundle ? { httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: awsConnections, ...options }) } : {};
}

/** @throws ProxySettingError */
async function readCertificates(bundle: string): Promise<string[]> {
    const own = await readFile(bundle, "utf8").catch((error: NodeJS.ErrnoException) => {
        throw new ProxySettingError(`AWS_CA_BUNDLE names a file that cannot be read (${error.code ?? error.name})`);
    });
    // Node.js before 22.15 cannot list them.
    const { getCACertificates } = tls as Partial<Pick<typeof tls, "getCACertificates">>;
    return [own, ...(getCACertificates?.("extra") ?? [])];
}

function findSetting(address: string, env: Environment): { name: string; proxy: string } | undefined {
    const { protocol, hostname, port } = new URL(address);
    const own = protocol === "https:" ? "https_proxy" : "http_proxy";
    const name = read(env, own) ? own : "all_proxy";
    const proxy = read(env, name);
    return !proxy || isExempt(hostname.replace(/^\[|\]$/g, ""), port, read(env, "no_proxy") ?? "")
        ? undefined
        : { name: name.toUpperCase(), proxy };
}

function read(env: Environment, name: string): string | undefined {
    return env[name] ?? env[name.toUpperCase()];
}

/** A name in `NO_PROXY` includes its subdomains. An IP address may be a range, such as `10.0.0.0/8`. */
function isExempt(host: string, port: string, list: string): boolean {
    return list
        .split(/[\s,]+/)
        .filter(Boolean)
        .some((entry) => entry === "*" || covers(entry.toLowerCase(), withoutRootDot(host.toLowerCase()), port));
}

/** A name with a dot at its end, the DNS root, means the same host. */
function withoutRootDot(name: string): string {
    return name.replace(/(?<=.)\.$/, "");
}

function covers(entry: string, host: string, port: string): boolean {
    const [, network, bits] = /^([\d.]+|[\da-f]*:[\d.:a-f]*)\/(\d+)$/.exec(entry) ?? [];
    if (network !== undefined) {
        return isInRange(host, network, Number(bits));
    }
    if (isIP(entry) !== 0) {
        return entry === host;
    }
    const [, name = entry, entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    const domain = withoutRootDot(name.replace(/^\*?\./, ""));
    return (entryPort === undefined || entryPort === port) && (host === domain || host.endsWith(`.${domain}`));
}

function isInRange(host: string, network: string, bits: number): boolean {
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    if (isIP(host) === 0 || isIP(network) === 0 || bits > (family === "ipv6" ? 128 : 32)) {
        return false;
    }
    const range = new BlockList();
    range.addSubnet(network, bits, family);
    return range.check(host, isIP(host) === 6 ? "ipv6" : "ipv4");
}
