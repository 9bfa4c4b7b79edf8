import { execFileSync } from "node:child_process";

function git(...args: string[]): string {
    return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** Lists all files of this checkout, with new ones. */
export function listFiles(): string[] {
    return linesOf(git("ls-files", "--cached", "--others", "--exclude-standard"));
}

/**
 * Lists the files that differ from a commit, also the uncommitted and the new ones.
 * @param commit - by default, the last commit that this branch shares with main
 */
export function changedFiles(commit = git("merge-base", "main", "HEAD").trim()): string[] {
    return [
        ...linesOf(git("diff", "--name-only", commit)),
        ...linesOf(git("ls-files", "--others", "--exclude-standard")),
    ];
}

function linesOf(text: string): string[] {
    return text.split("\n").filter((line) => line !== "");
}
