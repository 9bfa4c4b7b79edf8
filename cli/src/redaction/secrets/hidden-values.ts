import { createHash } from "node:crypto";
import { markKey, marks, isRecord } from "@pulumi-static-export/contract";
import { isSecret, mapMembers, markOf } from "../pulumi/marked-values.js";
import { isPropertyName } from "../placeholders/property-name.js";
import { type Placeholders } from "../placeholders/placeholders.js";

interface HideTools {
    readonly placeholders: Placeholders;
    /** Returns the replacement for plain text. */
    readonly clearText: (text: string, name: string) => string;
}

/**
 * Replaces all values inside a secret, and keys that are not names of properties. Does not change a value that is in
 * plain text at the same place in `twin`, because that value is not secret. Providers store a copy of a resource's
 * inputs as one secret, and compare the program with the copy.
 *
 * @param name - the name of the property with the value
 * @throws HiddenAssetError
 */
export function hide(value: unknown, twin: unknown, name: string, tools: HideTools): unknown {
    if (isSecret(value)) {
        const { plaintext: _, ...marker } = value;
        return { ...marker, ciphertext: JSON.stringify(hide(nestedOf(value), undefined, name, tools)) };
    }
    const mark = markOf(value);
    if (mark === marks.asset && typeof (value as { text?: unknown }).text === "string") {
        return textAsset(value as object, tools.placeholders.text((value as { text: string }).text));
    }
    if (mark === marks.bytes) {
        const bytes = Buffer.from(tools.placeholders.nextName()).toString("base64");
        return { ...(value as object), value: bytes };
    }
    if (mark === marks.resource) {
        return mapMembers(value as object, (member, key) =>
            typeof member === "string" && key !== markKey ? tools.clearText(member, key) : member,
        );
    }
    if (mark === marks.float) {
        return 0;
    }
    if (mark !== undefined) {
        throw new HiddenAssetError();
    }
    if (Array.isArray(value)) {
        return value.map((member, index) => hide(member, memberOf(twin, String(index)), String(index), tools));
    }
    if (isRecord(value)) {
        return Object.fromEntries(
            Object.entries(value).map(([key, member]) => {
                const plain = memberOf(twin, key);
                const shownKey = plain === undefined ? tools.placeholders.key(key) : tools.clearText(key, "");
                return [shownKey, hide(member, plain, key, tools)];
            }),
        );
    }
    if (value !== twin) {
        return tools.placeholders.scalar(value);
    }
    return typeof value === "string" ? tools.clearText(value, name) : value;
}

/**
 * A secret whose value is a file cannot be replaced: a placeholder would have a different digest, which shows as a
 * diff.
 */
export class HiddenAssetError extends Error {
    override readonly name = "HiddenAssetError";
}

/** Copies an asset with different text. A program that computes the same text gets the same digest. */
export function textAsset(asset: object, text: string): object {
    return { ...asset, text, hash: createHash("sha256").update(text).digest("hex") };
}

/** The strings, numbers, booleans and keys that `hide` replaces. */
export function* hiddenLeaves(value: unknown, twin: unknown): Generator<string> {
    const mark = markOf(value);
    if (isSecret(value)) {
        yield* hiddenLeaves(nestedOf(value), undefined);
    } else if (mark === marks.bytes) {
        yield Buffer.from(String((value as { value?: unknown }).value), "base64").toString("utf8");
    } else if (mark === marks.asset || mark === marks.archive) {
        yield* assetTexts(value as object);
    } else if (mark === undefined && typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) {
            const plain = memberOf(twin, key);
            if (!Array.isArray(value) && plain === undefined && !isPropertyName(key)) {
                yield key;
            }
            yield* hiddenLeaves(member, plain);
        }
    } else if (mark === undefined && value !== "" && value !== null && value !== undefined && value !== twin) {
        yield typeof value === "string" ? value : JSON.stringify(value);
    }
}

/** The content of an asset or archive, and its source, without its marks and digests. */
function* assetTexts(asset: object): Generator<string> {
    for (const [key, value] of Object.entries(asset)) {
        if (typeof value === "string" && key !== markKey && key !== "hash") {
            yield value;
        } else if (typeof value === "object" && value !== null) {
            yield* assetTexts(value as object);
        }
    }
}

export function memberOf(value: unknown, key: string): unknown {
    if (Array.isArray(value)) {
        return value[Number(key)];
    }
    return isRecord(value) && !isSecret(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Parses a secret inside another secret, which Pulumi marks but does not encrypt again. */
function nestedOf({ plaintext, ciphertext }: { plaintext?: string; ciphertext?: string }): unknown {
    return JSON.parse(plaintext ?? ciphertext ?? "null");
}
