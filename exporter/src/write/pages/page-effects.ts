import { type FoundWarning } from "../../problems/warning-log.js";

/** The effects of pages on an export, other than the pages' own files and anchors. Effects can be stored as JSON. */
export interface PageEffects {
    readonly warnings: readonly FoundWarning[];
    /** Files that links refer to. */
    readonly linkedAssets: readonly string[];
    /** Files that pages import, with the digests of the files' text. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
    /** Class names that are not the theme's. */
    readonly classes: readonly string[];
    /** Hosts that forms send requests to. */
    readonly apiServers: readonly string[];
    /** Hosts outside of the site from which pages load something. */
    readonly embeds: readonly string[];
    readonly hasDiagrams: boolean;
    /** Whether a page has a form that sends requests. */
    readonly hasTryIt: boolean;
}

/** Joins effects, without duplicate names. */
export function joinEffects(all: readonly Partial<PageEffects>[]): PageEffects {
    const names = (key: "linkedAssets" | "classes" | "apiServers" | "embeds") => [
        ...new Set(all.flatMap((effects) => effects[key] ?? [])),
    ];
    return {
        warnings: all.flatMap(({ warnings = [] }) => warnings),
        linkedAssets: names("linkedAssets"),
        imports: [...new Map(all.flatMap(({ imports = [] }) => imports))],
        classes: names("classes"),
        apiServers: names("apiServers"),
        embeds: names("embeds"),
        hasDiagrams: all.some(({ hasDiagrams }) => hasDiagrams === true),
        hasTryIt: all.some(({ hasTryIt }) => hasTryIt === true),
    };
}
