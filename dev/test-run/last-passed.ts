import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Group } from "./groups.js";
import { type FileResult } from "./results.js";

/**
 * When each file of `npm run test:all` passed last: its path, and a commit with the time at which the run ended. Whoever
 * lands a run's work commits the file with it, so that the next run, on any machine, begins with what this one left out.
 */
const record = "dev/test-run/last-passed.json";

export type LastPassed = Readonly<Record<string, string>>;

export function readLastPassed(): LastPassed {
    return existsSync(record) ? (JSON.parse(readFileSync(record, "utf8")) as LastPassed) : {};
}

/** Adds the files that passed in this run, and forgets files that no longer exist. */
export function recordPassed(last: LastPassed, results: readonly FileResult[], now: Date): void {
    const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
    const passed = addPassed(last, results, `${now.toISOString().slice(0, 16)}Z ${commit}`);
    const lines = Object.entries(passed).filter(([file]) => existsSync(file));
    writeFileSync(record, `${JSON.stringify(Object.fromEntries(lines), undefined, 4)}\n`);
}

export function addPassed(last: LastPassed, results: readonly FileResult[], run: string): LastPassed {
    const passed = results.filter(({ failures, passing }) => failures.length === 0 && passing > 0);
    const all = { ...last, ...Object.fromEntries(passed.map(({ file }) => [file, run])) };
    return Object.fromEntries(Object.entries(all).sort(([one], [other]) => one.localeCompare(other)));
}

/**
 * Divides groups into two rounds: first the files that the newest recorded run did not pass, the longest waiting first,
 * and then the others.
 */
export function waitingFirst(groups: readonly Group[], last: LastPassed): Group[][] {
    const newest = Object.values(last).reduce((latest, run) => (run > latest ? run : latest), "");
    const runOf = (file: string) => last[file] ?? "";
    const isWaiting = (file: string) => runOf(file) !== newest;
    const round = (includes: (file: string) => boolean) =>
        groups
            .map((group) => ({ ...group, files: group.files.filter(includes) }))
            .filter(({ files }) => files.length > 0);
    const waiting = round(isWaiting).map((group) => ({
        ...group,
        files: group.files.toSorted((one, other) => (runOf(one) < runOf(other) ? -1 : +(runOf(one) > runOf(other)))),
    }));
    return [waiting, round((file) => !isWaiting(file))].filter((each) => each.length > 0);
}

/** Describes a file that a run left out, with the run in which it passed last. */
export function describeWaiting(file: string, last: LastPassed): string {
    const run = last[file];
    return run === undefined ? `${file}: no recorded run` : `${file}: passed last in ${run.replace(" ", ", commit ")}`;
}
