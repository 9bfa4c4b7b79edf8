import { readFileSync, statSync } from "node:fs";
import { isRecord } from "@pulumi-static-export/contract";
import { UsageError } from "../command-line/usage-error.js";

/** A page, by its address. */
export interface ComparedPage {
    /** Such as `/guides/start`. */
    readonly page: string;
    readonly title: string;
}

export interface DeadLink {
    /** The page that contains the link. */
    readonly page: string;
    readonly href: string;
}

/** The changes for readers between two exports of a site. */
export interface Comparison {
    readonly added: readonly ComparedPage[];
    readonly changed: readonly ComparedPage[];
    readonly removed: readonly ComparedPage[];
    /** Broken links of the new site that the old site did not have, or that worked there. */
    readonly deadLinks: readonly DeadLink[];
    /** Pages that everybody could read, but now only certain readers can. */
    readonly becomePrivate: readonly ComparedPage[];
    /** Pages that only certain readers could read, but now everybody can. */
    readonly becomePublic: readonly ComparedPage[];
    /** Removed pages without a redirect to another page. */
    readonly missingRedirects: readonly ComparedPage[];
}

/** The number of pages that change for readers in any way. */
export function countPages({ added, changed, removed, becomePrivate, becomePublic }: Comparison): number {
    const lists = [added, changed, removed, becomePrivate, becomePublic];
    return new Set(lists.flatMap((list) => list.map(({ page }) => page))).size;
}

const maxFileBytes = 32 * 1024 * 1024;

/** Reads the output of `static-export compare --json`; its text is untrusted. @throws UsageError for other content */
export function readComparison(file: string): Comparison {
    const refuse = (why: string) =>
        new UsageError(`--compare ${file} must be a file of \`static-export compare OLD NEW --json\`: ${why}.`);
    let found: unknown;
    try {
        if (statSync(file).size > maxFileBytes) {
            throw new Error(`the file has more than ${maxFileBytes / 1024 / 1024} MiB`);
        }
        found = JSON.parse(readFileSync(file, "utf8"));
    } catch (error) {
        throw refuse((error as Error).message);
    }
    const given = isRecord(found) ? found : {};
    const listOf = <Key extends string>(name: keyof Comparison, second: Key) => {
        const list = given[name];
        const isEntry = (entry: unknown): entry is { page: string } & Record<Key, string> =>
            isRecord(entry) && typeof entry["page"] === "string" && typeof entry[second] === "string";
        if (!Array.isArray(list) || !list.every(isEntry)) {
            throw refuse(`it has no list "${name}"`);
        }
        return list;
    };
    return {
        added: listOf("added", "title"),
        changed: listOf("changed", "title"),
        removed: listOf("removed", "title"),
        deadLinks: listOf("deadLinks", "href"),
        becomePrivate: listOf("becomePrivate", "title"),
        becomePublic: listOf("becomePublic", "title"),
        missingRedirects: listOf("missingRedirects", "title"),
    };
}
