import { endOf } from "@pulumi-static-export/contract";

/** A count of git itself. The remote's lines begin with `remote:`, so that a remote cannot pretend progress. */
const count = /^[A-Z][a-z]+ [a-z]+: +\d/;
const maxLineLength = 1000;

/** Git's commands that report their progress. */
const commands: ReadonlySet<string> = new Set(["fetch", "push", "checkout"]);

/** A command's arguments, with which it reports its progress, if it can. */
export function withProgress(args: readonly string[]): readonly string[] {
    const [command = "", ...rest] = args;
    return commands.has(command) ? [command, "--progress", ...rest] : args;
}

/** Finds the counts in a command's standard error. */
export class GitProgress {
    #unfinished = "";

    /** Whether the next chunk completes a count. */
    isIn(chunk: Buffer): boolean {
        const lines = `${this.#unfinished}${chunk.toString("latin1")}`.split(/[\r\n]/);
        this.#unfinished = endOf(lines.pop() ?? "", maxLineLength);
        return lines.some((line) => count.test(line));
    }
}

/** A command's standard error without the progress, both git's and the remote's. */
export function withoutProgress(text: string): string {
    return text
        .split("\n")
        .map((line) => line.slice(line.lastIndexOf("\r") + 1).trimEnd())
        .filter((line) => !(count.test(line.replace(/^remote: /, "")) && line.endsWith("done.")))
        .join("\n");
}
