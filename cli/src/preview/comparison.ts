import { readFileSync, statSync } from "node:fs";
import { isRecord } from "@pulumi-static-export/contract";
import { type Comparison } from "@pulumi-static-export/exporter/compare";
import { UsageError } from "../command-line/usage-error.js";

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
