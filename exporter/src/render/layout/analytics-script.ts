import { integrationOf } from "../../read/settings/integration-table.js";
import { type SiteIntegrations } from "../../read/settings/read-integrations.js";

/** The services of a site as JavaScript to put before `analytics.js`; contains nothing about other services. */
export function servicesScript({ services, consent, hosts }: SiteIntegrations): string {
    const entries = services.map(({ name, values }) => {
        const { kind, start, send = "", countsPages = false } = integrationOf(name);
        const facts = `kind: ${JSON.stringify(kind)}, countsPages: ${countsPages}`;
        const begin = `start(load) { const s = ${JSON.stringify(values)}; ${start} }`;
        return `{ ${facts}, ${begin}, send(name, data) { ${send} } }`;
    });
    const list = `[\n${entries.join(",\n")}\n]`;
    const facts = `consent: ${JSON.stringify(consent)}, hosts: ${JSON.stringify(hosts)}`;
    return `window.staticExportServices = { ${facts}, services: ${list} };\n`;
}
