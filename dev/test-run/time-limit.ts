import { relative } from "node:path";
import { type Suite } from "mocha";

/** The variable with the time, in milliseconds since 1970, by which the last spec file should have ended. */
const untilVariable = "STATIC_EXPORT_SPECS_UNTIL";

const minute = 60_000;

/** The minutes that the slowest files take on a busy machine. */
const minutesOf: Readonly<Record<string, number>> = {
    "tests/docs/commands.engine.spec.ts": 24,
    "tests/e2e/release/rehearsal.long.engine.spec.ts": 16,
    "tests/service/database/query-plans.long.tools.spec.ts": 13,
    "tests/e2e/quickstart.long.engine.spec.ts": 11,
    "tests/docs/programs.long.engine.spec.ts": 8,
    "tests/e2e/kubernetes/examples.long.cluster.spec.ts": 8,
    "tests/e2e/kubernetes/installed-service.long.cluster.spec.ts": 7,
};
const minutesOfOthers = 5;

/** A time limit for a whole run: files that would not end in time are not started, and a late run is stopped. */
export interface TimeLimit {
    readonly until: number;
    readonly stopAt: number;
}

export function limitTo(minutes: number, now: number): TimeLimit {
    const until = now + minutes * minute;
    return { until, stopAt: until + 5 * minute };
}

/** Returns the limit of files that run a second time: they start even late, and end with the run. */
export function limitOfSecondRuns(limit: TimeLimit | undefined): TimeLimit | undefined {
    return limit && { ...limit, until: limit.stopAt + 60 * minute };
}

/** Returns the environment that makes a mocha process observe a limit. */
export function keepingTo(limit: TimeLimit | undefined): NodeJS.ProcessEnv {
    return limit === undefined ? {} : { [untilVariable]: String(limit.until) };
}

/** Returns whether a file that starts now ends in time. */
export function endsInTime(file: string, until: number, now: number): boolean {
    return now + (minutesOf[file] ?? minutesOfOthers) * minute <= until;
}

/** Root hooks: each mocha worker runs them for each spec file; without workers, mocha runs them once for all files. */
export const mochaHooks = {
    beforeAll(this: Mocha.Context): void {
        const until = Number(process.env[untilVariable] ?? Number.POSITIVE_INFINITY);
        const root = this.test?.parent;
        if (root !== undefined && until !== Number.POSITIVE_INFINITY) {
            leaveOutLate(root, until);
        }
    },
};

/** Drops the remaining files that would end too late: before the first file, and again after each file. */
function leaveOutLate(root: Suite, until: number): void {
    const isInTime = ({ file }: Suite) => file !== undefined && endsInTime(relative(".", file), until, Date.now());
    const keep = (from: number, current?: string) =>
        root.suites.splice(
            from,
            Number.POSITIVE_INFINITY,
            ...root.suites.slice(from).filter((suite) => suite.file === current || isInTime(suite)),
        );
    keep(0);
    for (const suite of root.suites) {
        suite.afterAll("time limit", () => void keep(root.suites.indexOf(suite) + 1, suite.file));
    }
}
