import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

/** Calls `run` with a temporary folder, and removes the folder afterwards. */
export async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
    try {
        return await run(folder);
    } finally {
        // A killed process may still write its last file.
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}

/** Returns the content of every file below a folder, and the kind of every other entry. */
export async function readTree(folder: string): Promise<Record<string, string>> {
    const tree: Record<string, string> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const kind = entry.isDirectory() ? "(folder)" : "(neither file nor folder)";
        tree[relative(folder, path).replaceAll(sep, "/")] = entry.isFile() ? await readFile(path, "utf8") : kind;
    }
    return tree;
}
