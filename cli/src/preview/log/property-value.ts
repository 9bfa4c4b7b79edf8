import { isRecord, isUnknownValue, markKey, marks } from "@pulumi-static-export/contract";
import { isDeepStrictEqual } from "node:util";

export function isSecret(value: unknown): value is Record<string, unknown> {
    return asRecord(value)[markKey] === marks.secret;
}

/** Whether a value is unknown or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
    return isUnknownValue(value) || children(value).some(hasUnknown);
}

/** Whether a value is secret or contains a secret. */
export function hasSecret(value: unknown): boolean {
    return isSecret(value) || children(value).some(hasSecret);
}

/** Whether two values look the same. Two secrets always look the same, because a log hides them. */
export function isSameValue(a: unknown, b: unknown): boolean {
    return isDeepStrictEqual(a, b);
}

export function asRecord(value: unknown): Record<string, unknown> {
    return isRecord(value) ? value : {};
}

export function asString(value: unknown): string | undefined {
    return typeof value === "string" && !isUnknownValue(value) ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function asStrings(value: unknown): string[] {
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** All secret strings that the log contains in plain text, as with `--show-secrets`. */
export function secretTexts(value: unknown): string[] {
    if (!isSecret(value)) {
        return children(value).flatMap(secretTexts);
    }
    const plaintext = value["plaintext"] ?? value["value"];
    return [...textsIn(plaintext), ...(typeof plaintext === "string" ? textsIn(parseJson(plaintext)) : [])];
}

function textsIn(value: unknown): string[] {
    return typeof value === "string" ? [value] : children(value).flatMap(textsIn);
}

/** Undefined for other text. */
export function parseJson(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

function children(value: unknown): unknown[] {
    return typeof value === "object" && value !== null ? Object.values(value) : [];
}
