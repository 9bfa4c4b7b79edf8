import { beginningOf } from "@pulumi-static-export/contract";
import type * as Jsonc from "jsonc-parser";
import { posix } from "node:path";
import { asRecord, isRecord } from "../../text/json-values.js";
import { lazyModule } from "../../text/lazy-module.js";
import { SiteError } from "../../problems/site-error.js";
import { type FoundFiles } from "./found-files.js";
import { lineAt } from "../../text/strings.js";
import { configFiles } from "./published-names.js";

/** A configuration with every `$ref` replaced by its target. */
export interface ConfigFile {
    /** `docs.json`, or `mint.json` of an older site. */
    readonly file: string;
    readonly value: Readonly<Record<string, unknown>>;
    /** The text of the file and of the files that it includes by `$ref`, directly or through other files. */
    readonly sources: ReadonlyMap<string, string>;
}

const jsonc = lazyModule<typeof Jsonc>("jsonc-parser");

const maxReferences = 500;

/** Reads a site's configuration; undefined for a site without one. @throws SiteError */
export function readConfigFile(content: FoundFiles): ConfigFile | undefined {
    const file = configFiles.find((name) => content.has(name));
    if (file === undefined) {
        return undefined;
    }
    const sources = new Map([[file, content.readText(file)]]);
    const value = parseJson(file, sources.get(file) ?? "");
    if (!isRecord(value)) {
        throw new SiteError(file, 1, "the file must contain one JSON object");
    }
    const resolved = new References(content, sources).resolve(value, file, []);
    return { file, value: asRecord(resolved), sources };
}

/** Follows `$ref` from file to file, within the site. */
class References {
    #followed = 0;

    /** @param sources receives the text of each included file */
    constructor(
        private readonly content: FoundFiles,
        private readonly sources: Map<string, string>,
    ) {}

    resolve(value: unknown, file: string, chain: readonly string[]): unknown {
        if (Array.isArray(value)) {
            return value.map((item) => this.resolve(item, file, chain));
        }
        if (!isRecord(value)) {
            return value;
        }
        const { $ref: reference, ...own } = value;
        const entries = Object.entries(typeof reference === "string" ? own : value);
        const siblings = Object.fromEntries(entries.map(([key, item]) => [key, this.resolve(item, file, chain)]));
        if (typeof reference !== "string") {
            return siblings;
        }
        const found = this.#follow(reference, file, chain);
        return isRecord(found) ? { ...found, ...siblings } : found;
    }

    #follow(reference: string, from: string, chain: readonly string[]): unknown {
        const file = fileOfReference(reference, from);
        if (chain.includes(file)) {
            throw new SiteError(from, undefined, `$ref "${reference}" leads back to itself`);
        }
        this.#followed += 1;
        if (this.#followed > maxReferences) {
            throw new SiteError(from, undefined, `there are more than ${maxReferences} references`);
        }
        if (!this.content.has(file)) {
            throw new SiteError(from, undefined, `$ref names "${reference}", but the site has no such file`);
        }
        const source = this.content.readText(file);
        this.sources.set(file, source);
        return this.resolve(parseJson(file, source), file, [...chain, file]);
    }
}

/** @param from the file that contains the reference */
export function fileOfReference(reference: string, from: string): string {
    return posix.normalize(posix.join(posix.dirname(from), reference));
}

/** JSON.parse is not used, because it reports no position for an unexpected character. */
function parseJson(file: string, source: string): unknown {
    // In a truncated file, the error is in the last line with text, not in the empty lines after it.
    const json = source.trimEnd();
    const errors: Jsonc.ParseError[] = [];
    const value: unknown = jsonc().parse(json, errors, { disallowComments: true });
    const [error] = errors;
    if (error === undefined) {
        return value;
    }
    const reason = jsonc()
        .printParseErrorCode(error.error)
        .replace(/\B[A-Z]/g, " $&")
        .toLowerCase();
    const found = json.slice(error.offset, error.offset + error.length).split(/\r?\n/, 1)[0] || "the end of the file";
    const line = lineAt(json, error.offset);
    throw new SiteError(file, line, `not valid JSON: ${reason} at ${beginningOf(found, 40)}`);
}
