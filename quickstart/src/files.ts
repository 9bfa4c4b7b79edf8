import { access, readFile } from "node:fs/promises";

export async function exists(path: string): Promise<boolean> {
    return access(path).then(
        () => true,
        () => false,
    );
}

/** Undefined where there is no such file. */
export async function readJson<T>(path: string): Promise<T | undefined> {
    return (await exists(path)) ? (JSON.parse(await readFile(path, "utf8")) as T) : undefined;
}
