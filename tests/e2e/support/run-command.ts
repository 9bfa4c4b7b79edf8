import { spawn, type ChildProcess } from "node:child_process";

export interface CommandResult {
    /** The exit code; null if a signal ended the process. */
    exitCode: number | null;
    stdout: string;
    /** Standard output and error, as a user sees them. */
    output: string;
}

export interface RunningCommand {
    readonly child: ChildProcess;
    readonly result: Promise<CommandResult>;
    /** Resolves to the match as soon as the output contains it; rejects if the command ends without it. */
    seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program, collects its output, and lets a spec wait for a line instead of a fixed time. */
export function startCommand(
    command: string,
    args: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
): RunningCommand {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let stdout = "";
    let output = "";
    let check = () => {};
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        output += text;
        check();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        check();
    });
    const result = new Promise<CommandResult>((resolve, reject) => {
        child.on("error", reject).on("close", (exitCode) => resolve({ exitCode, stdout, output }));
    });
    const seen = (pattern: RegExp) =>
        new Promise<RegExpExecArray>((resolve, reject) => {
            check = () => {
                const match = pattern.exec(output);
                if (match) {
                    resolve(match);
                }
            };
            check();
            result.then(
                () => reject(new Error(`ended without ${String(pattern)}:\n${output}`)),
                (error: Error) => reject(error),
            );
        });
    return { child, result, seen };
}
