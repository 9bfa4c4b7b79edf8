import { spawn, type ChildProcess } from "node:child_process";

export interface CommandResult {
    /** Null when a signal ended it. */
    exitCode: number | null;
    stdout: string;
    /** Standard output and error, as a person sees them. */
    output: string;
}

export interface RunningCommand {
    readonly child: ChildProcess;
    readonly result: Promise<CommandResult>;
    /** Resolves with the match as soon as the output has it; rejects when the command ends without. */
    seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program, collects what it prints, and lets a spec wait for a line instead of for a while. */
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
