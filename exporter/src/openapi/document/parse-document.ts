import type * as Yaml from "yaml";
import { lazyModule } from "../../text/lazy-module.js";
import { isRecord } from "../../text/json-values.js";
import { type Json } from "./references.js";

const yaml = lazyModule<typeof Yaml>("yaml");

/** The object that a text in JSON or YAML holds; undefined for any other text. */
export function parseDocument(text: string): Json | undefined {
    try {
        const root: unknown = /^\s*\{/.test(text)
            ? JSON.parse(text)
            : yaml().parse(text, { maxAliasCount: 1000, logLevel: "silent" });
        return isRecord(root) ? root : undefined;
    } catch {
        return undefined;
    }
}
