import { addressOf as placeOf, type CopyLocation, defaultPrefix, keyOf, servedJob } from "./storage/copy-address.js";
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
    readonly #served = new Map<string, MirrorInputs>();

    /** Records a mirror of the program. Its copy is not removed. */
    serve(inputs: MirrorInputs): void {
        this.#served.set(placeOf(inputs), inputs);
    }

    /** Whether a mirror of the program serves a copy, through any endpoint. */
    isServed(copy: CopyLocation): boolean {
        return this.#served.has(placeOf(copy));
    }

    /**
     * Finds a mirror of the program that has the same folder or that has replaced a deleted mirror, if the program
     * reaches its storage in another way: the old endpoint may no longer exist.
     */
    movedFrom(deleted: MirrorState): MirrorInputs | undefined {
        const replacement = [...this.#successions.values()].find(
            ({ before, isMade }) => isMade && addressOf(before) === addressOf(deleted),
        );
        const { bucket, prefix = defaultPrefix } = deleted;
        const isNeighbour = (each: MirrorInputs) => each.bucket === bucket && (each.prefix ?? defaultPrefix) === prefix;
        const successor = replacement?.after ?? [...this.#served.values()].find(isNeighbour);
        return successor !== undefined && accessOf(successor) !== accessOf(deleted) ? successor : undefined;
    }

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

function accessOf({ endpoint, region, pathStyle }: CopyLocation): string {
    return JSON.stringify([endpoint, region, pathStyle]);
}

function folderOf({ endpoint, bucket, prefix = defaultPrefix }: CopyLocation): string {
    return JSON.stringify([endpoint, bucket, prefix]);
}
