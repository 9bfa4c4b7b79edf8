import { trimTrailing } from "@pulumi-static-export/contract";
import { asRecord, isPlain, isRecord, withoutUndefined } from "../../text/json-values.js";
import { fields, is, type ReadSetting, type Report, text } from "./setting-values.js";
import { integrationOf, type IntegrationName, integrations, type Values } from "./integration-table.js";

/** A third-party service that a site uses. */
interface SiteService {
    readonly name: IntegrationName;
    readonly values: Values;
}

/** The setting for the reader's consent. Pages load no service without consent. */
export interface Consent {
    /** The cookie that means consent if it has the given value. */
    readonly cookie?: { readonly key: string; readonly value: string };
    /** The addresses of the consent managers' scripts. */
    readonly osano?: string;
    readonly transcend?: string;
}

export interface SiteIntegrations {
    readonly services: readonly SiteService[];
    readonly consent: Consent;
    /** The host names at which pages load services, so that previews and local copies send nothing. */
    readonly hosts: readonly string[];
    /** Whether pages may ask readers for feedback; false if `telemetry.enabled` is false. */
    readonly hasTelemetry: boolean;
}

/** Keys of `integrations` that load no service. */
const consentKeys = ["cookies", "osano", "transcend", "telemetry"];

export const siteIntegrations: ReadSetting<SiteIntegrations> = (value, at, report) => {
    if (!isRecord(value)) {
        return undefined;
    }
    const services = Object.entries(value).flatMap(([name, given]): SiteService[] => {
        if (consentKeys.includes(name) || isMissing(given)) {
            return [];
        }
        if (!isIntegration(name)) {
            report(`${at}.${name}`, `the setting "${at}.${name}" is not supported: nothing is sent to this service`);
            return [];
        }
        const values = valuesOf(name, asRecord(given), `${at}.${name}`, report);
        return values === undefined ? [] : [{ name, values }];
    });
    const { key, value: wanted } = asRecord(value["cookies"]);
    const hasCookie = typeof key === "string" && key !== "" && isPlain(wanted);
    if (!isMissing(value["cookies"]) && !hasCookie) {
        report(`${at}.cookies`, `${at}.cookies needs a key and a value: without them, no service is loaded`);
    }
    const cookie = hasCookie ? { key, value: String(wanted) } : undefined;
    const osano = scriptOf(value["osano"], `${at}.osano`, report);
    const transcend = scriptOf(value["transcend"], `${at}.transcend`, report);
    const conditions = { cookies: cookie, osano, transcend };
    // An unreadable condition must not count as fulfilled.
    const isReadable = Object.entries(conditions).every(([name, read]) => isMissing(value[name]) || read !== undefined);
    return {
        services: isReadable ? services : [],
        consent: withoutUndefined({ cookie, osano, transcend }),
        hosts: [],
        hasTelemetry: asRecord(value["telemetry"])["enabled"] !== false,
    };
};

/** The site's questions to readers, and the location of its sources. */
export const feedback = fields({
    thumbsRating: is(true),
    suggestEdit: is(true),
    raiseIssue: is(true),
    /** The folder of the site on GitHub or GitLab, such as `https://github.com/acme/docs/tree/main/docs`. */
    repository: text,
});

function isMissing(value: unknown): boolean {
    return value === undefined || value === null;
}

function isIntegration(name: string): name is IntegrationName {
    return Object.hasOwn(integrations, name);
}

/** Reports a value that is missing or not allowed in an address, and then returns undefined. */
function valuesOf(
    name: IntegrationName,
    given: Readonly<Record<string, unknown>>,
    at: string,
    report: Report,
): Values | undefined {
    const { required, optional = [], servers = {} } = integrationOf(name);
    const values: Record<string, string> = {};
    for (const key of [...required, ...optional, ...Object.keys(servers)]) {
        const value = given[key] ?? servers[key];
        if (!isPlain(value) || value === "") {
            if (required.includes(key)) {
                return report(at, `${at} needs ${key}: without it, nothing is sent to ${integrationOf(name).title}`);
            }
            continue;
        }
        const read = Object.hasOwn(servers, key) ? serverOf(String(value)) : idOf(String(value));
        if (read === undefined) {
            const expected = Object.hasOwn(servers, key) ? "an address such as https://stats.example.com" : "an id";
            return report(
                `${at}.${key}`,
                `${at}.${key} must be ${expected}: until then, nothing is sent to ${integrationOf(name).title}`,
            );
        }
        values[key] = read;
    }
    return values;
}

/** Accepts only safe characters, because the value becomes part of addresses and of a script. */
function idOf(value: string): string | undefined {
    return /^[\w.:/@+=-]{1,200}$/.test(value) && !value.includes("..") ? value : undefined;
}

/** The address of a server, without a trailing slash; a host name alone means https. */
function serverOf(value: string): string | undefined {
    const address = trimTrailing(/^https?:\/\//.test(value) ? value : `https://${value}`, "/");
    return /^https?:\/\/[\w.:-]+(?:\/[\w.-]+)*$/.test(address) && URL.canParse(address) ? address : undefined;
}

function scriptOf(value: unknown, at: string, report: Report): string | undefined {
    const source = isRecord(value) ? value["scriptSource"] : value;
    if (isMissing(value)) {
        return undefined;
    }
    return typeof source === "string" && /^https:\/\/[\w.:-]+\/[\w./?&=%-]*$/.test(source) && URL.canParse(source)
        ? source
        : report(at, `${at} must be the https address of a script: without it, no service is loaded`);
}
