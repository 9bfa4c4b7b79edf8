import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
    return access(path).then(
        () => true,
        () => false,
    );
}

/** Returns the content of a JSON file; undefined if the file does not exist or is not JSON. */
export async function readJson(path: string): Promise<unknown> {
    const text = await readFile(path, "utf8").catch(() => undefined);
    try {
        return text === undefined ? undefined : JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Runs `work` with an empty folder, which is removed afterwards. */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    try {
        return await work(folder);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}
