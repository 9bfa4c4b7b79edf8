import { execa, ExecaError } from "execa";

export interface RunOptions {
    readonly cwd?: string;
    /** Variables to add to the environment of this process. */
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal | undefined;
}

/** A program that did not start, or exited with a code other than 0. */
export class CommandError extends Error {
    override readonly name = "CommandError";

    constructor(
        message: string,
        /** Everything the program wrote to its standard error stream. */
        readonly stderr: string,
        options?: ErrorOptions,
        /** Everything the program wrote to its standard output. */
        readonly stdout = "",
    ) {
        super(message, options);
    }

    /**
     * Returns the last line of stderr, where most programs give the reason; this error's message if stderr is empty.
     */
    get lastLine(): string {
        return this.lastLines(1) || this.message;
    }

    lastLines(count: number): string {
        return this.stderr.trimEnd().split("\n").slice(-count).join("\n");
    }
}

/**
 * Runs a program and returns its standard output. The program has ended when the promise rejects.
 *
 * @throws {CommandError} when it fails; the reason of `signal` when it was aborted.
 */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { cwd = process.cwd(), env = {}, timeoutMs = 0, signal } = options;
    try {
        const { stdout } = await execa(command, args, {
            cwd,
            env,
            stdin: "ignore",
            timeout: timeoutMs,
            ...(signal === undefined ? {} : { cancelSignal: signal }),
        });
        return stdout;
    } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ExecaError)) {
            throw error;
        }
        throw new CommandError(error.shortMessage, error.stderr ?? "", { cause: error }, error.stdout ?? "");
    }
}
