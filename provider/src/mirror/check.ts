import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "../unknown-value.js";
import { longestUrlExpirySeconds, type MirrorInputs } from "./model.js";

/** Gives the reason why a known value is refused, or undefined. */
type Rule = (value: unknown) => string | undefined;

const rules: Record<Exclude<keyof MirrorInputs, "__provider">, Rule> = {
    jobId: matching(/^[\w.~-]+$/, "the id of a static export job, such as \"se_4f2a\""),
    bucket: matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, "the name of a bucket, such as \"docs-bundles\""),
    prefix: checkPrefix,
    endpoint: checkAddress,
    region: matching(/^[a-z\d-]+$/i, "a region, such as \"eu-central-1\""),
    pathStyle: checkBoolean,
    publicUrl: checkAddress,
    urlExpirySeconds: seconds(60, longestUrlExpirySeconds),
    deleteOnRemoval: checkBoolean,
    timeoutSeconds: seconds(1, 24 * 3600),
};

/** Validates what is known; a value that is unknown during a preview passes. At most one failure a property. */
export function checkMirror(news: Record<string, unknown>): dynamic.CheckResult<MirrorInputs> {
    const failures: dynamic.CheckFailure[] = [];
    for (const required of ["jobId", "bucket"]) {
        if (news[required] === undefined || news[required] === null) {
            failures.push({ property: required, reason: "is required" });
        }
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
    return { inputs: { ...news } as unknown as MirrorInputs, failures };
}

function matching(pattern: RegExp, description: string): Rule {
    return (value) =>
        typeof value === "string" && pattern.test(value) ? undefined : `must be ${description}, got ${show(value)}`;
}

function seconds(min: number, max: number): Rule {
    return (value) =>
        typeof value === "number" && value >= min && value <= max
            ? undefined
            : `must be a number of seconds from ${min} to ${max}, got ${show(value)}`;
}

function checkBoolean(value: unknown): string | undefined {
    return typeof value === "boolean" ? undefined : `must be true or false, got ${show(value)}`;
}

function checkPrefix(value: unknown): string | undefined {
    if (typeof value === "string" && /^([\w.~-]+\/)*$/.test(value) && !/(^|\/)\.{1,2}\//.test(value)) {
        return undefined;
    }
    return `must be empty or folders that each end with a slash, such as "docs/exports/", got ${show(value)}`;
}

function checkAddress(value: unknown): string | undefined {
    const example = 'such as "https://storage.example.com"';
    if (typeof value !== "string" || !URL.canParse(value)) {
        return `must be an http(s) address, ${example}, got ${show(value)}`;
    }
    const { protocol, username, password, search, hash } = new URL(value);
    if (protocol !== "https:" && protocol !== "http:") {
        return `must be an http(s) address, ${example}, got ${show(value)}`;
    }
    if (username !== "" || password !== "" || search !== "" || hash !== "") {
        return `must be an address without user name, query and fragment, ${example}`;
    }
    return undefined;
}

/** A bounded picture of a value for a message. An address keeps neither query nor password: it may be a secret. */
function show(value: unknown): string {
    const text = (JSON.stringify(value) ?? String(value)).replace(/\?[^"]*/, "?…").replace(/\/\/[^/"]*@/, "//…@");
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
