import { type CopyLocation, defaultPrefix, keyOf, servedJob } from "./storage/copy-address.js";
import type { EarlierJobs, MirrorInputs, MirrorState } from "./model.js";

/** The maximum number of outdated copies in a state; later exports remove those whose removal failed. */
const maxSurplus = 20;

interface Succession {
    before: MirrorState;
    after: MirrorInputs;
    earlier: EarlierJobs;
    /** Whether the new copy is complete. */
    isMade: boolean;
}

/**
 * Decides which copies may be removed, and when: Pulumi deletes a replaced mirror only after the rest of the update has
 * succeeded, including the rollout. A mirror that is deleted at another time, even by the update after a failed one,
 * has no successor in this record. One instance serves all mirrors of a process, because only `diff` sees which mirrors
 * are replaced.
 */
export class EarlierCopies {
    readonly #successions = new Map<string, Succession>();
    /** The addresses of the copies that the program's mirrors serve. These copies are not removed. */
    readonly served = new Set<string>();

    /** Records that a mirror will be replaced. */
    willReplace(before: MirrorState, after: MirrorInputs): void {
        const isSamePlace = folderOf(before) === folderOf(after);
        const jobs = isSamePlace ? [servedJob(before), ...jobsOf(before)] : [];
        const earlier = splitJobs(
            jobs.filter((job) => job !== servedJob(after)),
            after.keep,
        );
        this.#successions.set(addressOf(after), { before, after, earlier, isMade: false });
    }

    /** Records that the new copy is complete. Returns the earlier jobs to store with the copy. */
    wasMade(inputs: MirrorInputs): EarlierJobs {
        const succession = this.#successions.get(addressOf(inputs));
        if (succession === undefined) {
            return splitJobs([], inputs.keep);
        }
        succession.isMade = true;
        return succession.earlier;
    }

    /** Finds the mirror that has replaced a deleted mirror, in the same folder and with `keep`. */
    successorOf(deleted: MirrorState): { inputs: MirrorInputs; surplusJobIds: readonly string[] } | undefined {
        const found = [...this.#successions.values()].find(
            ({ before, after, isMade }) =>
                isMade &&
                after.keep !== undefined &&
                addressOf(before) === addressOf(deleted) &&
                folderOf(after) === folderOf(deleted),
        );
        if (found === undefined) {
            return undefined;
        }
        return { inputs: found.after, surplusJobIds: found.earlier.surplusJobIds ?? [] };
    }
}

/** Returns the earlier jobs after an update in place, which may change `keep`. */
export function afterUpdate(olds: MirrorState, { keep }: MirrorInputs): EarlierJobs {
    return splitJobs(jobsOf(olds), keep);
}

function jobsOf({ earlierJobIds = [], surplusJobIds = [] }: EarlierJobs): string[] {
    return [...earlierJobIds, ...surplusJobIds];
}

function splitJobs(jobs: readonly string[], keep: number | undefined): EarlierJobs {
    if (keep === undefined) {
        return {};
    }
    const all = [...new Set(jobs)];
    return { earlierJobIds: all.slice(0, keep), surplusJobIds: all.slice(keep, keep + maxSurplus) };
}

function addressOf(location: CopyLocation): string {
    return JSON.stringify([location.endpoint, location.bucket, keyOf(location)]);
}

function folderOf({ endpoint, bucket, prefix = defaultPrefix }: CopyLocation): string {
    return JSON.stringify([endpoint, bucket, prefix]);
}
