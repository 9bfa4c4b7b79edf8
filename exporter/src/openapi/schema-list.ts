/** A value where it is a list, and an empty list where it is anything else. */
export function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}
