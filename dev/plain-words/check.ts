import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { habits } from "./habits.js";
import { proseOf } from "./prose.js";

/** These files quote the habits, or are generated from other files. */
const exempt = /^dev\/plain-words\/habits\.ts$|^tests\/dev\/plain-words\/|\/fixtures\/|\/golden\/|^package-lock/;

interface AddedLine {
    readonly file: string;
    /** From 1. */
    readonly number: number;
    readonly text: string;
}

/** Lists the phrases to rewrite in the lines that this checkout adds to the main branch, as `file:line: advice`. */
export function checkWords(folder: string): string[] {
    const prose = new Map<string, string[]>();
    const sentences = (file: string): string[] => {
        const known = prose.get(file) ?? proseOf(file, readFileSync(join(folder, file), "utf8"));
        prose.set(file, known);
        return known;
    };
    return (
        addedLines(folder)
            // A link to a folder also has an added line: its target.
            .filter(
                ({ file }) => !exempt.test(file) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile(),
            )
            .flatMap(({ file, number }) =>
                findHabits(sentences(file)[number - 1] ?? "").map((found) => ({ file, number, found })),
            )
            .map(({ file, number, found }) => `${file}:${number}: ${found}`)
    );
}

/** Returns the phrases to rewrite in one line of prose, with advice. */
export function findHabits(line: string): string[] {
    return habits.flatMap(({ pattern, advice }) => {
        const [found] = pattern.exec(line) ?? [];
        return found === undefined ? [] : [`"${found.trim().slice(0, 40)}": ${advice}.`];
    });
}

/** Returns the added lines. Omits moved lines, whose text is also among the removed lines. */
function addedLines(folder: string): AddedLine[] {
    const base = findBase(folder);
    if (base === undefined) {
        return [];
    }
    const added: AddedLine[] = [];
    const removed = new Set<string>();
    let file = "";
    let number = 0;
    for (const line of git(folder, "diff", "--unified=0", "--no-color", "--no-ext-diff", "-M", base).split("\n")) {
        if (line.startsWith("+++ ")) {
            file = line.replace(/^\+\+\+ b\//, "");
        } else if (line.startsWith("@@")) {
            number = Number(/\+(\d+)/.exec(line)?.[1]);
        } else if (line.startsWith("+")) {
            added.push({ file, number: number++, text: line.slice(1).trim() });
        } else if (line.startsWith("-")) {
            removed.add(line.slice(1).trim());
        }
    }
    return added.filter(({ text }) => !removed.has(text));
}

/**
 * Returns the commit where this branch left the main branch. Returns undefined in a shallow clone, or in a copy without
 * git.
 */
function findBase(folder: string): string | undefined {
    for (const main of ["origin/main", "main"]) {
        try {
            return git(folder, "merge-base", "HEAD", main).trim();
        } catch {
            continue;
        }
    }
    return undefined;
}

function git(folder: string, ...args: string[]): string {
    return execFileSync("git", args, {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 2 ** 28,
        stdio: ["ignore", "pipe", "ignore"],
    });
}
