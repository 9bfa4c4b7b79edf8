import { beginningOf } from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "./unknown-value.js";

/** Returns why a known value is refused, or undefined. `T` is the type of the values that it accepts. */
export type Rule<T = unknown> = ((value: unknown) => string | undefined) & { readonly accepted?: T };

/**
 * Validates known values; values that are unknown during a preview are accepted. Returns at most one failure per
 * property.
 *
 * @param rules - one for every input
 * @param required - the required inputs, each with a description
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
        const reason = rule ? rule(value) : `is not an input. The inputs are ${Object.keys(rules).join(", ")}`;
        if (reason !== undefined) {
            failures.push({ property, reason });
        }
    }
    return failures;
}

/**
 * Moves the names of inputs into the reasons. If a failure names a property, the engine prints the property's whole
 * value, and a refused value may contain a password, a signature or a key in a wrong place.
 */
export function withoutRefusedValues<Inputs>(result: dynamic.CheckResult<Inputs>): dynamic.CheckResult<Inputs> {
    const { failures = [] } = result;
    return {
        ...result,
        failures: failures.map(({ property, reason }) => ({ property: "", reason: `${property} ${reason}` })),
    };
}

/** @param description - what the value must be, such as `a region, such as "eu-central-1"` */
export function matching(pattern: RegExp, description: string): Rule<string> {
    return (value) =>
        typeof value === "string" && pattern.test(value) ? undefined : `must be ${description}, got ${show(value)}`;
}

export function matchingRule({ pattern, description }: { pattern: RegExp; description: string }): Rule<string> {
    return matching(pattern, description);
}

export function oneOf<T extends string>(choices: readonly T[]): Rule<T> {
    const list = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(choices.map((each) => `"${each}"`));
    return (value) => (choices.some((each) => each === value) ? undefined : `must be ${list}, got ${show(value)}`);
}

export function seconds(min: number, max: number): Rule<number> {
    return (value) =>
        typeof value === "number" && value >= min && value <= max
            ? undefined
            : `must be a number of seconds from ${min} to ${max}, got ${show(value)}`;
}

export const anything: Rule = () => undefined;

export const trueOrFalse: Rule<boolean> = (value) =>
    typeof value === "boolean" ? undefined : `must be true or false, got ${show(value)}`;

export const positiveInteger: Rule<number> = (value) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? undefined : `must be a whole number above 0, got ${show(value)}`;

export function wholeNumber(min: number, max: number): Rule<number> {
    return (value) =>
        Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
            ? undefined
            : `must be a whole number from ${min} to ${max}, got ${show(value)}`;
}

const idOf = (description: string) => matching(/^[\w.~-]+$/, `the id of ${description}`);

export const exportJobId = idOf('a static export job, such as "se_4f2a"');

export const agentJobId = idOf('an agent job, such as "aj_4f2a"');

export const projectId = idOf("a project, as the API keys page of the dashboard shows it");

/** Shortens a value for a message. Strips query and password from URLs, because they may be secret. */
export function show(value: unknown): string {
    const text = (JSON.stringify(value) ?? String(value)).replace(/\?[^"]*/g, "?…").replace(/\/\/[^/"]*@/g, "//…@");
    return text.length > 80 ? `${beginningOf(text, 79)}…` : text;
}
