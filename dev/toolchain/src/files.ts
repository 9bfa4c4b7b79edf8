import { access, readFile } from "node:fs/promises";

/** Whether a file or folder is there. */
export async function exists(path: string): Promise<boolean> {
    return access(path).then(
        () => true,
        () => false,
    );
}

/** What a JSON file holds; undefined where there is none, or where it holds something else. */
export async function readJson(path: string): Promise<unknown> {
    const text = await readFile(path, "utf8").catch(() => undefined);
    try {
        return text === undefined ? undefined : JSON.parse(text);
    } catch {
        return undefined;
    }
}
