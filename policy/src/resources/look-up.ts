import { isRecord } from "@pulumi-static-export/contract";
import { UnknownValueError } from "@pulumi/policy";

/**
 * The result of looking up a property. During a preview, a value may be unknown, and reading it would abort the whole
 * policy.
 */
export type Finding = { readonly kind: "absent" } | { readonly kind: "unknown" } | Known;

interface Known {
    readonly kind: "known";
    readonly value: unknown;
}

const absent: Finding = { kind: "absent" };
const unknown: Finding = { kind: "unknown" };

/** Looks up the value at a path. All values below an unknown value are unknown. */
export function lookUp(from: unknown, ...path: readonly string[]): Finding {
    let value = from;
    for (const key of path) {
        if (!isRecord(value) || !Object.hasOwn(value, key)) {
            return absent;
        }
        try {
            value = value[key];
        } catch (error) {
            if (error instanceof UnknownValueError) {
                return unknown;
            }
            throw error;
        }
    }
    return value === undefined || value === null ? absent : { kind: "known", value };
}

/** Returns the value at a path if it is known, otherwise undefined. */
export function knownValue(from: unknown, ...path: readonly string[]): unknown {
    return valueOf(lookUp(from, ...path));
}

/** Returns the value if it is a known string, otherwise undefined. */
export function knownString(from: unknown, ...path: readonly string[]): string | undefined {
    const value = knownValue(from, ...path);
    return typeof value === "string" ? value : undefined;
}

/** Returns the value if it is known, otherwise undefined. */
export function valueOf(found: Finding): unknown {
    return found.kind === "known" ? found.value : undefined;
}
