import { posix } from "node:path";
import type * as Yaml from "yaml";
import { type FoundFiles } from "../../read/files/found-files.js";
import { isRecord } from "../../text/json-values.js";
import { parseExpressionAt } from "../../text/script-parser.js";
import { staticValue } from "../../text/static-value.js";
import { isValueRecord, Scope } from "../../text/script-value.js";
import { lazyModule } from "../../text/lazy-module.js";

/** The settings in another builder's file in a folder of pages. */
export interface FolderSettings {
    readonly title?: string;
    /** The folder's position among its neighbours. */
    readonly order?: number;
    readonly isOpen?: boolean;
    /** The names of the folder's entries without extensions, in the order of the navigation. */
    readonly entries?: readonly string[];
    /** The titles of the subfolders. */
    readonly titles?: ReadonlyMap<string, string>;
}

const library = lazyModule<typeof Yaml>("yaml");

/** The names of folders' settings files, each with the function that reads it. */
const kinds: readonly (readonly [name: string, read: (values: Readonly<Record<string, unknown>>) => FolderSettings])[] =
    [
        ["_category_.json", categoryOfDocusaurus],
        ["_category_.yml", categoryOfDocusaurus],
        ["_category_.yaml", categoryOfDocusaurus],
        ["meta.json", metaOfFumadocs],
        ["_meta.json", metaOfNextra],
        ...["js", "jsx", "ts", "tsx"].map((ending) => [`_meta.${ending}`, metaOfNextra] as const),
    ];

/** @param report called with an unreadable file */
export function folderSettingsOf(
    folder: string,
    files: FoundFiles,
    report: (file: string, reason: string) => void,
): FolderSettings {
    for (const [name, read] of kinds) {
        const file = posix.join(folder, name);
        if (!files.has(file)) {
            continue;
        }
        try {
            const text = files.readText(file);
            const isScript = /\.[jt]sx?$/.test(name);
            const values: unknown = isScript ? literalOf(text) : library().parse(text, { maxAliasCount: 0 });
            return isRecord(values) ? read(values) : {};
        } catch (error) {
            report(file, `the folder's settings cannot be read: ${(error as Error).message.split("\n", 1)[0]}`);
        }
    }
    return {};
}

function categoryOfDocusaurus({ label, position, collapsed }: Readonly<Record<string, unknown>>): FolderSettings {
    return {
        ...(typeof label === "string" && { title: label }),
        ...(typeof position === "number" && { order: position }),
        ...(collapsed === false && { isOpen: true }),
    };
}

function metaOfFumadocs({ title, pages, defaultOpen }: Readonly<Record<string, unknown>>): FolderSettings {
    const listed = Array.isArray(pages) ? (pages as unknown[]) : undefined;
    return {
        ...(typeof title === "string" && { title }),
        ...(defaultOpen === true && { isOpen: true }),
        ...(listed && { entries: listed.filter((page) => typeof page === "string").map(withoutMarks) }),
    };
}

/** In Fumadocs, `...folder` means the folder, and `./page.mdx` the page. */
function withoutMarks(entry: string): string {
    return entry.replace(/^(?:\.{3}|\.\/)/, "").replace(/\.mdx?$/, "");
}

function metaOfNextra(values: Readonly<Record<string, unknown>>): FolderSettings {
    const titles = Object.entries(values).flatMap(([name, value]) => {
        const title = isRecord(value) ? value["title"] : value;
        return typeof title === "string" ? [[name, title] as const] : [];
    });
    return { entries: Object.keys(values), titles: new Map(titles) };
}

/**
 * Finds the object literal that a script exports, or that is the value of the script's first constant. Types around the
 * literal are ignored.
 */
function literalOf(code: string): unknown {
    const start = /\bexport\s+default\s+(?=\{)|\bconst\s+\w+\s*(?::[^={]+)?=\s*(?=\{)/.exec(code);
    const node = start === null ? undefined : parseExpressionAt(code, start.index + start[0].length);
    const literal = node && staticValue(node, new Scope());
    if (!isValueRecord(literal)) {
        throw new Error("the value is not an object of literals");
    }
    return literal;
}
