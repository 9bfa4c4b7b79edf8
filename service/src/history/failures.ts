import { siteOf, type SiteJobKind } from "../exports/site-job.js";
import { reasonOf } from "./failure-reasons.js";
import { type JobFilter } from "./job-conditions.js";
import { type JobHistory } from "./job-history.js";

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
const maxFailures = 2000;

/** Groups the newest failures that were not cancelled. Reads the failed jobs only, however many others there are. */
export async function groupFailures(
    history: Pick<JobHistory, "list">,
    kinds: readonly SiteJobKind[],
    filter: Pick<JobFilter, "sites" | "error" | "since">,
): Promise<Failures> {
    const groups = new Map<string, FailureGroup>();
    // Most failures repeat an earlier one.
    const reasons = new Map<string, string>();
    let count = 0;
    let isComplete = true;
    for (const kind of kinds) {
        let next: number | undefined;
        for (let read = 0; read < maxFailures; read += atOnce) {
            const page = await history.list({
                ...filter,
                kind,
                statuses: ["failed"],
                limit: atOnce,
                ...(next === undefined ? {} : { before: next }),
            });
            for (const job of page.jobs) {
                const error = job.error ?? "";
                const reason = reasons.get(error) ?? reasonOf(error);
                reasons.set(error, reason);
                const [domain, at] = [siteOf(job), job.updatedAt];
                const key = JSON.stringify([kind, domain, reason]);
                const known = groups.get(key);
                if (known === undefined) {
                    const { jobId } = job;
                    groups.set(key, { kind, domain, reason, count: 1, firstAt: at, lastAt: at, jobId, error });
                } else {
                    known.count += 1;
                    known.firstAt = at < known.firstAt ? at : known.firstAt;
                    known.lastAt = at > known.lastAt ? at : known.lastAt;
                }
            }
            count += page.jobs.length;
            next = page.next;
            if (next === undefined) {
                break;
            }
        }
        isComplete &&= next === undefined;
    }
    const newest = [...groups.values()].sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
    return { groups: newest, count, isComplete };
}
