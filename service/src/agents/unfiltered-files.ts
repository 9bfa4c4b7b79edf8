import { type IndexChange } from "./index-changes.js";

/** Files of Git LFS that are pointers already are smaller. */
const maxPointerBytes = 1024;
const maxNamedFiles = 20;

/** The log line about files that {@link findUnfiltered} has found. */
export function describeUnfiltered(filter: string, files: readonly string[]): string {
    const rest = files.length - maxNamedFiles;
    const named = `${files.slice(0, maxNamedFiles).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    return (
        `.gitattributes passes ${named} through the filter ${filter}, which the service does not run: the commit ` +
        "contains the content itself. To filter it, run git add --renormalize in a clone that has the filter."
    );
}

/**
 * The changed files that a clone would commit through a filter of `.gitattributes`, by the filter's name. Pointers of
 * Git LFS, such as those that an agent has moved, need no filter.
 *
 * @param run - runs git with the index of the change
 */
export async function findUnfiltered(
    changes: readonly IndexChange[],
    run: (args: string[], stdin: string) => Promise<string>,
): Promise<Map<string, string[]>> {
    const files = changes.filter(({ newMode }) => newMode.startsWith("100"));
    const found = new Map<string, IndexChange[]>();
    if (files.length > 0) {
        const attributes = await run(["check-attr", "--cached", "--stdin", "filter"], linesOf(files, "path"));
        attributes.split("\n").forEach((line, at) => {
            const [, filter] = /: filter: (.+)$/.exec(line) ?? [];
            const file = files[at];
            if (file !== undefined && filter !== undefined && !["unspecified", "unset", "set"].includes(filter)) {
                found.set(filter, [...(found.get(filter) ?? []), file]);
            }
        });
    }
    const pointers = await findPointers(found.get("lfs") ?? [], run);
    const unfiltered = new Map<string, string[]>();
    for (const [filter, filtered] of found) {
        const left = filter === "lfs" ? filtered.filter(({ newId }) => !pointers.has(newId)) : filtered;
        if (left.length > 0) {
            unfiltered.set(
                filter,
                left.map(({ path }) => path),
            );
        }
    }
    return unfiltered;
}

/** The ids of the files that are pointers of Git LFS. */
async function findPointers(
    files: readonly IndexChange[],
    run: (args: string[], stdin: string) => Promise<string>,
): Promise<ReadonlySet<string>> {
    if (files.length === 0) {
        return new Set();
    }
    const sizes = (await run(["cat-file", "--batch-check=%(objectsize)"], linesOf(files, "newId"))).split("\n");
    const small = files.filter((_file, at) => Number(sizes[at]) < maxPointerBytes);
    const contents = small.length === 0 ? "" : await run(["cat-file", "--batch"], linesOf(small, "newId"));
    const pointer = /^([0-9a-f]{40,64}) blob \d+\nversion https:\/\/git-lfs\.github\.com\/spec\//gm;
    return new Set([...contents.matchAll(pointer)].map(([, id = ""]) => id));
}

function linesOf(files: readonly IndexChange[], key: "path" | "newId"): string {
    return files.map((file) => `${file[key]}\n`).join("");
}
