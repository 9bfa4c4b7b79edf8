import { isDeepStrictEqual } from "node:util";

/** The engine's placeholders for unknown values, by type. Source: sdk/go/common/resource/plugin/rpc.go. */
const unknownValues: ReadonlySet<unknown> = new Set([
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export function isUnknown(value: unknown): boolean {
    return unknownValues.has(value);
}

export function isSecret(value: unknown): value is Record<string, unknown> {
    return asRecord(value)[signatureKey] === secretSignature;
}

/** Whether a value or anything in it is unknown. */
export function hasUnknown(value: unknown): boolean {
    return isUnknown(value) || children(value).some(hasUnknown);
}

/** Whether a value or anything in it is a secret. */
export function hasSecret(value: unknown): boolean {
    return isSecret(value) || children(value).some(hasSecret);
}

/** Whether two values look the same: any two secrets do, because a log hides them. */
export function isSameValue(a: unknown, b: unknown): boolean {
    return isDeepStrictEqual(a, b);
}

export function asRecord(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : {};
}

export function asString(value: unknown): string | undefined {
    return typeof value === "string" && !isUnknown(value) ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function asStrings(value: unknown): string[] {
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** All secret strings that the log has in plain text, as with `--show-secrets`. */
export function secretTexts(value: unknown): string[] {
    if (!isSecret(value)) {
        return children(value).flatMap(secretTexts);
    }
    const plaintext = value["plaintext"] ?? value["value"];
    return [...textsIn(plaintext), ...(typeof plaintext === "string" ? textsIn(parse(plaintext)) : [])];
}

function textsIn(value: unknown): string[] {
    return typeof value === "string" ? [value] : children(value).flatMap(textsIn);
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

function children(value: unknown): unknown[] {
    return typeof value === "object" && value !== null ? Object.values(value) : [];
}
