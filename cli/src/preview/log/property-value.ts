import { digestAssets, isRecord, isSameValue, isUnknownValue, markKey, marks } from "@pulumi-static-export/contract";

export function isSecret(value: unknown): value is Record<string, unknown> {
    return asRecord(value)[markKey] === marks.secret;
}

/** Whether a value is unknown or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
    return isUnknownValue(value) || children(value).some(hasUnknown);
}

/** Whether two values are the same; undefined if that depends on secrets, which a log hides. */
export function isSameShown(a: unknown, b: unknown): boolean | undefined {
    return compareShown(digestAssets(a), digestAssets(b));
}

function compareShown(a: unknown, b: unknown): boolean | undefined {
    if (isSecret(a) || isSecret(b)) {
        return a === undefined || b === undefined ? false : undefined;
    }
    const [before, after] = [membersOf(a), membersOf(b)];
    if (before === undefined || after === undefined || Array.isArray(a) !== Array.isArray(b)) {
        return isSameValue(a, b);
    }
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const members = keys.map((key) => key in before && key in after && compareShown(before[key], after[key]));
    return members.includes(false) ? false : members.includes(undefined) ? undefined : true;
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
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
