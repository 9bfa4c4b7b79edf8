import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { limitOpenFiles } from "./open-files.js";

/** Every process of a run inherits this variable, unless it clears its environment. */
export const runVariable = "STATIC_EXPORT_AGENT_RUN";

/** How many runs of a service get different limits. */
const numbers = 2 ** 20;

type Command = readonly [string, ...string[]];

/**
 * Identifies the processes of a run by a variable and by a limit of file locks. Processes inherit the limit, and cannot
 * raise it without privileges. Linux has not enforced this limit since 2.4.25.
 */
export class ProcessMark {
    readonly #value: string;
    readonly #locks: number | undefined;

    private constructor(value: string, locks?: number) {
        this.#value = value;
        this.#locks = locks;
    }

    /**
     * The mark of one run, which no other run of the same job has, also not in another process.
     *
     * @param place - the folder for the runs of the services that successively use a data folder
     * @param folder - the run's folder, whose name begins with the id of the job, and is new for each run
     */
    static ofRun(place: string, folder: string): ProcessMark {
        const name = basename(folder);
        const [from, number] = [place, name].map((text) => createHash("sha256").update(text).digest().readUInt32BE());
        return new ProcessMark(prefixOf(place) + name, (from ?? 0) * numbers + ((number ?? 0) % numbers));
    }

    /** The mark of these services' git commands: only the variable, because git does not clear its environment. */
    static ofGit(folder: string): ProcessMark {
        return new ProcessMark(`${prefixOf(folder)}git`);
    }

    /** The environment variable that marks a run's processes. */
    get env(): Record<string, string> {
        return { [runVariable]: this.#value };
    }

    /**
     * Returns the command with the limit, and with that of open files. If the shell cannot set the limit, only the
     * variable marks the command.
     */
    wrap(command: Command): Command {
        const limit = this.#locks === undefined ? ":" : `ulimit -w ${this.#locks} || ulimit -x ${this.#locks}`;
        return [
            "/bin/sh",
            "-c",
            `{ ${limit}; } 2>/dev/null; ${limitOpenFiles}; unset PWD OLDPWD; exec "$@"`,
            "sh",
            ...command,
        ];
    }

    /** Whether a process has the mark; false for other users' processes, whose environment cannot be read. */
    async isOn(pid: number): Promise<boolean> {
        const [environment, limits] = await Promise.all(
            ["environ", "limits"].map((name) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "")),
        );
        const locks = Number(/^Max file locks +\S+ +(\d+)/m.exec(limits ?? "")?.[1] ?? NaN);
        return locks === this.#locks || (environment ?? "").split("\0").includes(`${runVariable}=${this.#value}`);
    }
}

function prefixOf(folder: string): string {
    return `${createHash("sha256").update(folder).digest("hex").slice(0, 16)}.`;
}
