import { isSecret, markOf } from "../pulumi/marked-values.js";

export interface UnmarkedSecret {
    readonly path: readonly string[];
    readonly text: string;
}

/** The name of a value: its key or, in lists such as `env: [{ name, value }]`, the name next to it. */
export function nameBeside(object: object, key: string): string {
    const { name, key: other, Name, Key } = object as Record<string, unknown>;
    const beside = [name, other, Name, Key].find((each) => typeof each === "string");
    return /^value$/i.test(key) && typeof beside === "string" ? beside : key;
}

/**
 * Values that look like a secret, but are not marked as one.
 *
 * @param describe - returns the kind of secret that the value looks like, given its name
 */
export function* unmarkedSecrets(
    value: unknown,
    describe: (name: string, text: string) => string | undefined,
    name = "",
    path: readonly string[] = [],
): Generator<UnmarkedSecret> {
    if (typeof value === "string" || typeof value === "number") {
        if (describe(name, String(value)) !== undefined) {
            yield { path, text: String(value) };
        }
    } else if (typeof value === "object" && value !== null && !isSecret(value) && markOf(value) === undefined) {
        for (const [key, member] of Object.entries(value)) {
            if (key !== "__provider") {
                const besideName = Array.isArray(value) ? name : nameBeside(value, key);
                yield* unmarkedSecrets(member, describe, besideName, [...path, key]);
            }
        }
    }
}
