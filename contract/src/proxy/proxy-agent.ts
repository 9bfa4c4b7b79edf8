import type { Agent, AgentOptions } from "node:http";
import { findProxy } from "./find-proxy.js";

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
