import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "../unknown-value.js";
import type { BundleInputs } from "./model.js";

const maxTimeoutSeconds = 7 * 24 * 3600;

/** Gives the reason why a known value is refused, or undefined. */
type Rule = (value: unknown) => string | undefined;

const rules: Record<Exclude<keyof BundleInputs, "__provider">, Rule> = {
    domain: checkDomain,
    version: (value) => checkText(value, "a label such as \"2026-11-01\""),
    paths: checkPaths,
    triggers: () => undefined,
    renewBeforeSeconds: (value) => checkSeconds(value, 0),
    renewLink: (value) => (typeof value === "boolean" ? undefined : `must be true or false, got ${show(value)}`),
    timeoutSeconds: (value) => checkSeconds(value, 1),
    jobId: checkJobId,
};

/** Validates what is known; a value that is unknown during a preview passes. At most one failure a property. */
export function checkBundle(news: Record<string, unknown>): dynamic.CheckResult<BundleInputs> {
    const failures: dynamic.CheckFailure[] = [];
    if (news.domain === undefined || news.domain === null) {
        failures.push({ property: "domain", reason: "is required: the host name of the documentation site" });
    }
    for (const [property, value] of Object.entries(news)) {
        if (property === "__provider" || value === undefined || value === null || isUnknown(value)) {
            continue;
        }
        const rule = Object.hasOwn(rules, property) ? rules[property as keyof typeof rules] : undefined;
        const reason = rule ? rule(value) : `is not an input; the inputs are ${Object.keys(rules).join(", ")}`;
        if (reason !== undefined) {
            failures.push({ property, reason });
        }
    }
    // Host names are case-insensitive: without this, a change of case would replace the resource.
    const domain = typeof news.domain === "string" ? news.domain.toLowerCase() : news.domain;
    return { inputs: { ...news, domain } as BundleInputs, failures };
}

function checkDomain(value: unknown): string | undefined {
    if (typeof value !== "string") {
        return `must be a string, got ${show(value)}`;
    }
    if (value.includes("://")) {
        return `must be a host name without a scheme, such as "docs.example.com", got ${show(value)}`;
    }
    if (/[/?#]/.test(value)) {
        return `must be a host name without a path, such as "docs.example.com", got ${show(value)}`;
    }
    if (/:\d*$/.test(value)) {
        return `must be a host name without a port, such as "docs.example.com", got ${show(value)}`;
    }
    if (/[^\x20-\x7e]/.test(value)) {
        return `must be a host name in ASCII: write an international name in its xn-- form, got ${show(value)}`;
    }
    const labels = value.split(".");
    if (value.length > 253 || !labels.every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))) {
        return `must be a host name such as "docs.example.com", got ${show(value)}`;
    }
    return undefined;
}

function checkText(value: unknown, example: string): string | undefined {
    if (typeof value !== "string") {
        return `must be a string, got ${show(value)}`;
    }
    return value.trim() === "" ? `must not be empty: leave it out, or give ${example}` : undefined;
}

function checkPaths(value: unknown): string | undefined {
    if (!Array.isArray(value)) {
        return `must be a list of page paths, got ${show(value)}`;
    }
    if (value.length === 0) {
        return "must name at least one page: leave it out to export every published page";
    }
    const wrong: unknown = value.find((path) => !isUnknown(path) && (typeof path !== "string" || path.trim() === ""));
    return wrong === undefined ? undefined : `must hold page paths such as "/guides/start", got ${show(wrong)}`;
}

function checkSeconds(value: unknown, min: number): string | undefined {
    if (typeof value !== "number" || !Number.isFinite(value)) {
        return `must be a number of seconds, got ${show(value)}`;
    }
    if (value < min) {
        return `must be at least ${min}, got ${value}`;
    }
    return value > maxTimeoutSeconds ? `must be at most ${maxTimeoutSeconds} (7 days), got ${value}` : undefined;
}

function checkJobId(value: unknown): string | undefined {
    if (typeof value !== "string" || !/^[\w.~-]+$/.test(value)) {
        return `must be the id of a static export job, such as "se_4f2a", got ${show(value)}`;
    }
    return undefined;
}

/** A bounded picture of a value for a message. A URL keeps no query: it could be a presigned link given by mistake. */
function show(value: unknown): string {
    const text = (JSON.stringify(value) ?? String(value)).replace(/\?[^"]*/, "?…");
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
