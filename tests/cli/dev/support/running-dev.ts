import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "../../support/command.js";

/** A running `static-export dev`. */
export interface Dev {
    readonly url: string;
    readonly command: Command;
    readonly folder: string;
    /** Writes a file of the site atomically, so `dev` never reads an empty file. */
    readonly write: (file: string, text: string) => Promise<void>;
}

/** Runs `static-export dev` on `docs/` and a free port; kills the command if it still runs when `use` has settled. */
export async function withDev(
    folder: string,
    env: Record<string, string>,
    use: (dev: Dev) => Promise<void>,
): Promise<void> {
    const command = new Command(["dev", join(folder, "docs"), "--port", "0"], { cwd: folder, env });
    try {
        const [, url = ""] = await command.prints(/ at (http:\S+)\/ \(\d+ pages?, ready after \d+ ms\)/);
        const write = async (file: string, text: string) => {
            await writeFile(join(folder, "unfinished"), text);
            await rename(join(folder, "unfinished"), join(folder, "docs", file));
        };
        await use({ url, command, folder, write });
    } finally {
        command.signal("SIGINT");
        await command.exited;
    }
}
