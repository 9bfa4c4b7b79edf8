import { createHash } from "node:crypto";
import type * as Yaml from "yaml";
import { isRecord } from "../../text/json-values.js";
import { lazyModule } from "../../text/lazy-module.js";
import { hasLimitedParts, withoutLimitedParts } from "./limited-parts.js";
import { type HasRoot } from "./references.js";

/** A document of an API. References are followed when they are needed: they may be circular. */
export interface ParsedDocument extends HasRoot {
    /** Of the document's text. */
    readonly digest: string;
    /** Whether parts of the document are meant for certain readers only. */
    readonly isLimited: boolean;
    /** Models that pages must not show. */
    readonly limitedModels: ReadonlySet<string>;
}

const yaml = lazyModule<typeof Yaml>("yaml");

/**
 * The object that a text in JSON or YAML holds; undefined for any other text.
 *
 * @param isWhole with the parts that are meant for certain readers
 */
export function parseDocument(text: string, isWhole: boolean): ParsedDocument | undefined {
    const root = objectOf(text);
    if (root === undefined) {
        return undefined;
    }
    const isLimited = text.includes("x-mint") && hasLimitedParts(root);
    const cut = isLimited && !isWhole ? withoutLimitedParts(root) : { root, models: new Set<string>() };
    const digest = createHash("sha256")
        .update(text + (cut.root === root ? "" : "\0"))
        .digest("base64url");
    return { root: cut.root, digest, isLimited, limitedModels: cut.models };
}

function objectOf(text: string): Record<string, unknown> | undefined {
    try {
        const root: unknown = /^\s*\{/.test(text)
            ? JSON.parse(text)
            : yaml().parse(text, { maxAliasCount: 1000, logLevel: "silent" });
        return isRecord(root) ? root : undefined;
    } catch {
        return undefined;
    }
}
