import { siteOf, type SiteJobKind } from "../exports/site-job.js";
import { reasonOf } from "./failure-reasons.js";
import { type JobFilter } from "./job-conditions.js";
import { type JobHistory, type JobPage, maxCounted, type NumberedJob } from "./job-history.js";

/** The failures of a site that have the same reason. */
export interface FailureGroup {
    kind: SiteJobKind;
    /** The site; failures of its previews belong to it. */
    domain: string;
    reason: string;
    count: number;
    firstAt: Date;
    lastAt: Date;
    /** The newest failure. */
    jobId: string;
    error: string;
}

interface Failures {
    /** The group with the newest failure first. */
    groups: FailureGroup[];
    /** How many failures were read: the newest ones. */
    count: number;
    /** Whether these are all. */
    isComplete: boolean;
}

/** So many failures are read at once, so that the embedded database answers others meanwhile. */
const atOnce = 500;
/** So many failures of each kind are read. */
export const maxFailures = 2000;

type FailureFilter = Omit<JobFilter, "kind" | "statuses" | "before" | "limit">;
type History = Pick<JobHistory, "list">;

/** Groups the newest failures that were not cancelled. Reads the failed jobs only, however many others there are. */
export async function groupFailures(
    history: History,
    kinds: readonly SiteJobKind[],
    filter: FailureFilter,
): Promise<Failures> {
    const groups = new Map<string, FailureGroup>();
    let count = 0;
    let isComplete = true;
    for (const kind of kinds) {
        const { failures, isComplete: areAll } = await newestFailures(history, { ...filter, kind });
        for (const { job, reason } of failures) {
            const [domain, at] = [siteOf(job), job.updatedAt];
            const key = JSON.stringify([kind, domain, reason]);
            const known = groups.get(key);
            if (known === undefined) {
                const { jobId, error } = job;
                groups.set(key, { kind, domain, reason, count: 1, firstAt: at, lastAt: at, jobId, error: error ?? "" });
            } else {
                known.count += 1;
                known.firstAt = at < known.firstAt ? at : known.firstAt;
                known.lastAt = at > known.lastAt ? at : known.lastAt;
            }
        }
        count += failures.length;
        isComplete &&= areAll;
    }
    const newest = [...groups.values()].sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
    return { groups: newest, count, isComplete };
}

/**
 * A page of the failures that have exactly this reason, as their group counts them, and how many there are, or one more
 * than are counted. Jobs of other statuses have no reason.
 */
export async function failuresWithReason(
    history: History,
    reason: string,
    { statuses = ["failed"], before = Number.MAX_SAFE_INTEGER, limit, ...filter }: JobFilter,
): Promise<JobPage & { count: number }> {
    const { failures } = statuses.includes("failed") ? await newestFailures(history, filter) : { failures: [] };
    const found = failures.filter((each) => each.reason === reason).map(({ job }) => job);
    const rest = found.filter(({ sequence }) => sequence < before);
    const jobs = rest.slice(0, limit);
    const count = Math.min(found.length, maxCounted + 1);
    return { jobs, next: rest.length > limit ? jobs.at(-1)?.sequence : undefined, count };
}

/** The newest failures of a kind with their reasons. */
async function newestFailures(history: History, filter: FailureFilter & Pick<JobFilter, "kind">) {
    const failures: { job: NumberedJob; reason: string }[] = [];
    // Most failures repeat an earlier one.
    const reasons = new Map<string, string>();
    let before: number | undefined;
    do {
        const at = before === undefined ? {} : { before };
        const page = await history.list({ ...filter, statuses: ["failed"], limit: atOnce, ...at });
        for (const job of page.jobs) {
            const error = job.error ?? "";
            const reason = reasons.get(error) ?? reasonOf(error);
            reasons.set(error, reason);
            failures.push({ job, reason });
        }
        before = page.next;
    } while (before !== undefined && failures.length < maxFailures);
    return { failures, isComplete: before === undefined };
}
