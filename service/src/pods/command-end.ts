import { lstat, readFile } from "node:fs/promises";

/** Contains how an agent has failed, in the folder of its pod. */
export const endFile = "end";

/** How a command has failed: its exit code, or `late` after its time limit. */
export type CommandEnd = number | "late";

/** Parses what the program of a pod has stored, or its frame. */
export function parseCommandEnd(text: string): CommandEnd | undefined {
    if (text === "late") {
        return text;
    }
    return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined;
}

/** The command has failed, and the pod has sent its files nevertheless. */
export class FailedCommandError extends Error {
    override readonly name = "FailedCommandError";

    /** @param isComplete whether all files were received */
    constructor(
        readonly end: CommandEnd,
        readonly isComplete: boolean,
    ) {
        super("The command has failed.");
    }
}

/** The agent may have replaced the file, for example with a link to a secret of this container. */
export async function readEnd(path: string): Promise<CommandEnd | undefined> {
    const found = await lstat(path).catch(() => undefined);
    const isSmall = found?.isFile() === true && found.size <= 10;
    return isSmall ? parseCommandEnd((await readFile(path, "utf8")).trim()) : undefined;
}
