import { type BundledService } from "@pulumi-static-export/contract";
import { integrationOf } from "./integration-table.js";
import { type Consent, type SiteIntegrations } from "./read-integrations.js";

/** The hosts that consent managers use, in addition to the host of their script. */
const consentHosts = { osano: "https://*.osano.com", transcend: "https://*.transcend.io" } as const;

/** Whether a service receives events about readers' actions. */
export function getsEvents({ services, hasTelemetry }: SiteIntegrations): boolean {
    return hasTelemetry && services.some(({ name }) => integrationOf(name).send !== undefined);
}

/** Whether pages load any service; a site without a host name loads none. */
export function loadsServices(integrations: SiteIntegrations | undefined): integrations is SiteIntegrations {
    return integrations !== undefined && integrations.services.length > 0 && integrations.hosts.length > 0;
}

/**
 * The Content Security Policy of pages that load services: it allows only the site's own files and the hosts of these
 * services. Pages on disk have `file:` addresses.
 * @param hasTryIt whether the page may connect to the servers of an API
 */
export function policyOf({ services, consent }: SiteIntegrations, hasTryIt: boolean): string {
    const hosts = services.map(({ name, values }) => integrationOf(name).hosts(values));
    const managers = consentManagers(consent);
    const scripts = [...managers.map(({ script }) => new URL(script).origin), ...hosts.flatMap(({ script }) => script)];
    const connections = [...managers.map(({ host }) => host), ...hosts.flatMap(({ connect }) => connect)];
    const list = (sources: readonly string[]) => [...new Set(["'self'", "file:", ...sources])].join(" ");
    return [
        `script-src ${list([...managers.map(({ host }) => host), ...scripts])}`,
        "worker-src 'self' file: blob:",
        ...(hasTryIt ? [] : [`connect-src ${list([...scripts, ...connections])}`]),
        "base-uri 'none'",
    ].join("; ");
}

/** Writes one sentence for each service about the data that pages send. */
export function sentencesOf(integrations: SiteIntegrations): string[] {
    const isLocal = integrations.hosts.length === 0;
    return bundledServices(integrations).map(({ title, kind, sends, hosts, needsConsent }) => {
        const consented = needsConsent ? " after the reader's consent" : "";
        const when = isLocal ? `${consented}, once the site is exported with its --domain` : consented;
        return kind === "consent"
            ? `${title} asks readers for consent (${hosts.join(", ")}).`
            : `${title} gets ${sends}${when} (${hosts.join(", ")}).`;
    });
}

/** The services that pages load, and the data that pages send to them. */
export function bundledServices({ services, consent }: SiteIntegrations): BundledService[] {
    const managers = consentManagers(consent);
    const needsConsent = consent.cookie !== undefined || managers.length > 0;
    return [
        ...services.map(({ name, values }): BundledService => {
            const { title, kind, send, hosts } = integrationOf(name);
            const sends =
                kind === "support" ? "chats of readers" : send === undefined ? "page views" : "page views and events";
            const { script, connect } = hosts(values);
            return { name, title, kind, sends, hosts: hostsOf([...script, ...connect]), needsConsent };
        }),
        ...managers.map(({ name, title, script, host }): BundledService => {
            const hosts = hostsOf([script, host]);
            return { name, title, kind: "consent", sends: "the reader's consent", hosts, needsConsent: false };
        }),
    ];
}

function consentManagers({ osano, transcend }: Consent) {
    return [
        ...(osano === undefined ? [] : [{ name: "osano", title: "Osano", script: osano, host: consentHosts.osano }]),
        ...(transcend === undefined
            ? []
            : [{ name: "transcend", title: "Transcend", script: transcend, host: consentHosts.transcend }]),
    ];
}

function hostsOf(addresses: readonly string[]): string[] {
    const names = addresses.map((address) => address.replace(/^[a-z]+:\/\//, "").replace(/\/.*/, ""));
    return [...new Set(names)];
}
