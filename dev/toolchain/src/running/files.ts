import { access, readFile } from "node:fs/promises";

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
