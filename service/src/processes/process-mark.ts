import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { limitOpenFiles } from "./open-files.js";

/** Every process of a run inherits this variable, unless it clears its environment. */
export const runVariable = "STATIC_EXPORT_AGENT_RUN";

/** How many runs of a service get different limits. */
const numbers = 2 ** 20;

interface Range {
    from: number;
    to: number;
}

type Command = readonly [string, ...string[]];

/**
 * Identifies the processes of a run by a variable and by a limit of file locks. Processes inherit the limit, and cannot
 * raise it without privileges. Linux has not enforced this limit since 2.4.25.
 */
export class ProcessMark {
    readonly #value: string;
    readonly #locks: Range;

    private constructor(value: string, locks: Range) {
        this.#value = value;
        this.#locks = locks;
    }

    /** The mark of all runs of the services that successively use a data folder. */
    static ofRuns(folder: string): ProcessMark {
        const hash = createHash("sha256").update(folder).digest();
        const from = hash.readUInt32BE() * numbers;
        return new ProcessMark(`${prefixOf(folder)}aj_`, { from, to: from + numbers - 1 });
    }

    /** The mark of these services' git commands: only the variable, because git does not clear its environment. */
    static ofGit(folder: string): ProcessMark {
        return new ProcessMark(`${prefixOf(folder)}git`, { from: 0, to: -1 });
    }

    /**
     * The mark of one run, which no other run of the same job has, also not in another process.
     *
     * @param folder - the run's folder, whose name begins with the id of the job, and is new for each run
     */
    ofRun(folder: string): ProcessMark {
        const name = basename(folder);
        const number = this.#locks.from + (createHash("sha256").update(name).digest().readUInt32BE() % numbers);
        return new ProcessMark(this.#value.replace(/aj_$/, name), { from: number, to: number });
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
        const limit = `ulimit -w ${this.#locks.from} || ulimit -x ${this.#locks.from}`;
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
        return (
            (locks >= this.#locks.from && locks <= this.#locks.to) ||
            (environment ?? "").split("\0").some((entry) => entry.startsWith(`${runVariable}=${this.#value}`))
        );
    }
}

function prefixOf(folder: string): string {
    return `${createHash("sha256").update(folder).digest("hex").slice(0, 16)}.`;
}
