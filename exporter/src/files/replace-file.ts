import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";

/** A reader sees either the old content or the new one, never a part of it. */
export async function replaceFile(path: string, content: string | Iterable<string>): Promise<void> {
    const unfinished = `${path}.${randomUUID()}`;
    try {
        await writeFile(unfinished, content, { mode: 0o600 });
        renameSync(unfinished, path);
    } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
    }
}
