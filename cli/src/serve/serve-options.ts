import { readWholeNumber } from "../command-line/options.js";
import { type AgentSettings } from "./agent-options.js";
import { type JobSettings } from "./shared-options.js";
import { type OidcSettings } from "./oidc-options.js";
import { readPair, withEntry } from "./named-values.js";

/** The options of `static-export serve`, parsed. */
export interface ServeOptions extends JobSettings, AgentSettings, OidcSettings {
    port: number;
    host: string;
    database?: string;
    adminKeyFile?: string;
    graceSeconds: number;
    publicUrl?: string;
    previewDomain?: Record<string, string>;
    webhookSecretFile?: string;
    agentModel?: string;
    dashboard: boolean;
}

export function readPort(text: string): number {
    return readWholeNumber(text, 0, 65_535);
}

export function addSite(text: string, sites: Record<string, string> = {}): Record<string, string> {
    const [domain, place] = readPair(text, "docs.example.com=./docs");
    return withEntry(sites, domain, place);
}

export function addPreviewDomain(text: string, domains: Record<string, string> = {}): Record<string, string> {
    const [site, domain] = readPair(text, "docs.example.com=previews.example.com");
    return withEntry(domains, site, domain);
}
