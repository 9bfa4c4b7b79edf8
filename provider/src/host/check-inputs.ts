import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "./unknown-value.js";

/** Gives the reason why a known value is refused, or undefined. */
export type Rule = (value: unknown) => string | undefined;

/**
 * Validates what is known; a value that is unknown during a preview passes. At most one failure a property.
 *
 * @param rules - one for each input there is
 * @param required - the inputs that must be given, and what each of them is
 */
export function checkInputs(
    news: Record<string, unknown>,
    rules: Readonly<Record<string, Rule>>,
    required: Readonly<Record<string, string>>,
): dynamic.CheckFailure[] {
    const failures = Object.entries(required)
        .filter(([property]) => news[property] === undefined || news[property] === null)
        .map(([property, what]) => ({ property, reason: `is required: ${what}` }));
    for (const [property, value] of Object.entries(news)) {
        if (property === "__provider" || value === undefined || value === null || isUnknown(value)) {
            continue;
        }
        const rule = Object.hasOwn(rules, property) ? rules[property] : undefined;
        const reason = rule ? rule(value) : `is not an input; the inputs are ${Object.keys(rules).join(", ")}`;
        if (reason !== undefined) {
            failures.push({ property, reason });
        }
    }
    return failures;
}

/** @param description - what the value must be, such as `a region, such as "eu-central-1"` */
export function matching(pattern: RegExp, description: string): Rule {
    return (value) =>
        typeof value === "string" && pattern.test(value) ? undefined : `must be ${description}, got ${show(value)}`;
}

export function seconds(min: number, max: number): Rule {
    return (value) =>
        typeof value === "number" && value >= min && value <= max
            ? undefined
            : `must be a number of seconds from ${min} to ${max}, got ${show(value)}`;
}

export function trueOrFalse(value: unknown): string | undefined {
    return typeof value === "boolean" ? undefined : `must be true or false, got ${show(value)}`;
}

export function positiveInteger(value: unknown): string | undefined {
    return Number.isSafeInteger(value) && Number(value) > 0
        ? undefined
        : `must be a whole number above 0, got ${show(value)}`;
}

export const exportJobId = matching(/^[\w.~-]+$/, 'the id of a static export job, such as "se_4f2a"');

/** A bounded picture of a value for a message. An address keeps neither query nor password: it may be a secret. */
export function show(value: unknown): string {
    const text = (JSON.stringify(value) ?? String(value)).replace(/\?[^"]*/, "?…").replace(/\/\/[^/"]*@/, "//…@");
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
