/** What a value that was read from JSON or YAML may be. */
export function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value where it is an object, and an empty object where it is anything else. */
export function asRecord(value: unknown): Record<string, unknown> {
    return isRecord(value) ? value : {};
}

/** A value where it is a list, and an empty list where it is anything else. */
export function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}
