import { relative } from "node:path";
import { type Suite } from "mocha";

/** The variable with the time, in milliseconds since 1970, by which the last spec file should have ended. */
const untilVariable = "STATIC_EXPORT_SPECS_UNTIL";

const minute = 60_000;

/** The minutes of files that took more than three on a busy machine; those of gitlab-pipelines are a guess. */
const minutesOf: Readonly<Record<string, number>> = {
    "tests/docs/commands.engine.spec.ts": 24,
    "tests/e2e/systems/ubuntu-unit.long.tools.spec.ts": 20,
    "tests/e2e/release/rehearsal.long.engine.spec.ts": 19,
    "tests/e2e/quickstart.long.engine.spec.ts": 15,
    "tests/service/database/query-plans.long.tools.spec.ts": 13,
    "tests/e2e/kubernetes/installed-service.long.cluster.spec.ts": 11,
    "tests/e2e/systems/systemd-unit.long.tools.spec.ts": 11,
    "tests/cli/build/real-builders.long.packages.spec.ts": 10,
    "tests/e2e/kubernetes/examples.long.cluster.spec.ts": 10,
    "tests/docs/gitlab-pipelines.long.packages.spec.ts": 8,
    "tests/docs/programs.long.engine.spec.ts": 8,
    "tests/e2e/release/first-hour.long.engine.spec.ts": 8,
    "tests/e2e/engine/engine-options.long.engine.spec.ts": 7,
    "tests/e2e/interrupts/interrupts.engine.spec.ts": 6,
    "tests/e2e/documentation-update.engine.spec.ts": 5,
    "tests/e2e/kubernetes/ipv6-only.long.cluster.spec.ts": 5,
    "tests/e2e/kubernetes/private-pages.long.cluster.spec.ts": 5,
    "tests/e2e/plugin/languages/java-guide.long.engine.spec.ts": 5,
    "tests/e2e/preview/change-table.long.engine.spec.ts": 5,
    "tests/e2e/bucket-site/bucket-site.engine.spec.ts": 4,
    "tests/e2e/kubernetes/rollout.long.cluster.spec.ts": 4,
    "tests/e2e/plugin/interrupts.long.engine.spec.ts": 4,
    "tests/e2e/plugin/languages/go-guide.long.engine.spec.ts": 4,
    "tests/e2e/preview/programs.long.engine.spec.ts": 4,
    "tests/e2e/static-export-bundle.engine.spec.ts": 4,
};
/** A file that takes longer still ends before the run is stopped. */
const minutesOfOthers = 3;

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
