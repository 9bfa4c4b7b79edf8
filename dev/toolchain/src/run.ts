import { execa, ExecaError } from "execa";

export interface RunOptions {
    readonly cwd?: string;
    /** Laid over the environment of this process. */
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal | undefined;
}

/** A program that did not start, or did not end with exit code 0. */
export class CommandError extends Error {
    override readonly name = "CommandError";

    constructor(
        message: string,
        /** Everything the program wrote to its standard error stream. */
        readonly stderr: string,
        options?: ErrorOptions,
    ) {
        super(message, options);
    }

    /** The line that most programs end with when they fail; the outcome where a program wrote nothing. */
    get lastLine(): string {
        return this.lastLines(1) || this.message;
    }

    lastLines(count: number): string {
        return this.stderr.trimEnd().split("\n").slice(-count).join("\n");
    }
}

/**
 * Runs a program to its end and returns what it wrote to its standard output. When this rejects, the program has ended.
 *
 * @throws {CommandError} when it fails; the reason of `signal` when that stopped it.
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
        throw new CommandError(error.shortMessage, error.stderr ?? "", { cause: error });
    }
}
