import { isObject, isSecret, mapMembers, markOf, marks } from "./pulumi/marked-values.js";
import { type Placeholders } from "./placeholders/placeholders.js";

export interface HideTools {
    readonly placeholders: Placeholders;
    /** The replacement for a plain text. */
    readonly clearText: (text: string, name: string) => string;
}

/**
 * Replaces all values inside a secret. A value that is in plain text at the same place of `twin` is not secret and stays:
 * providers keep a copy of a resource's inputs as one secret, and compare the program with that.
 *
 * @param name - of the property that has the value
 * @throws HiddenAssetError
 */
export function hide(value: unknown, twin: unknown, name: string, tools: HideTools): unknown {
    if (isSecret(value)) {
        const { plaintext: _, ...marker } = value;
        return { ...marker, ciphertext: JSON.stringify(hide(nestedOf(value), undefined, name, tools)) };
    }
    const mark = markOf(value);
    if (mark === marks.asset || mark === marks.archive) {
        throw new HiddenAssetError();
    }
    if (mark === marks.bytes) {
        const bytes = Buffer.from(tools.placeholders.nextName()).toString("base64");
        return { ...(value as object), value: bytes };
    }
    if (mark === marks.resource) {
        return value;
    }
    if (mark === marks.float) {
        return 0;
    }
    if (typeof value === "object" && value !== null) {
        return mapMembers(value, (member, key) => hide(member, memberOf(twin, key), key, tools));
    }
    if (value !== twin) {
        return tools.placeholders.scalar(value);
    }
    return typeof value === "string" ? tools.clearText(value, name) : value;
}

/** A secret whose value is a file: a placeholder would have a different digest, which is a diff. */
export class HiddenAssetError extends Error {
    override readonly name = "HiddenAssetError";
}

/** The strings and numbers that `hide` replaces. */
export function* hiddenLeaves(value: unknown, twin: unknown): Generator<string> {
    if (isSecret(value)) {
        yield* hiddenLeaves(nestedOf(value), undefined);
    } else if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) {
            yield* hiddenLeaves(member, memberOf(twin, key));
        }
    } else if ((typeof value === "string" || typeof value === "number") && value !== "" && value !== twin) {
        yield String(value);
    }
}

export function memberOf(value: unknown, key: string): unknown {
    if (Array.isArray(value)) {
        return value[Number(key)];
    }
    return isObject(value) && !isSecret(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Pulumi also marks secrets inside a secret, but does not encrypt them twice. */
function nestedOf({ plaintext, ciphertext }: { plaintext?: string; ciphertext?: string }): unknown {
    return JSON.parse(plaintext ?? ciphertext ?? "null");
}
