import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { findSources, type Phase, type Plan, phases } from "../plan/plan.js";
import { PublishError } from "../errors/publish-error.js";
import { type Inventory, markOf, type StoredFile } from "../records/inventory.js";
import type { SiteContents } from "../site/read-site.js";
import type { RefusedRemoval, SiteTarget } from "../targets/site-target.js";
import type { Lease } from "./lease.js";

/** The progress of a run. */
export interface PublishProgress {
    readonly doneFiles: number;
    readonly totalFiles: number;
    readonly sentBytes: number;
}

/** The results of a run. */
export interface PlanOutcome {
    readonly sentFiles: number;
    readonly sentBytes: number;
    readonly copiedFiles: number;
    readonly removedFiles: number;
    /** The files that the target did not remove, although nobody needs them. */
    readonly refused?: RefusedRemoval;
}

/** A plan, and everything that is needed to carry it out. */
interface PreparedPlan {
    readonly plan: Plan;
    readonly before: Inventory;
    /** Receives the marks of the files that the run writes. */
    readonly after: Inventory;
    /** The folder of the release; undefined if the target already has all contents. */
    readonly folder: string | undefined;
    readonly contents: SiteContents;
    /** The target's folder for the files of the release. */
    readonly prefix: string;
}

const keysPerRemoval = 1000;

/**
 * Carries out a plan, one phase after the other. After a failure, the record contains the progress, and the next run
 * continues from there.
 */
export async function runPlan(
    target: SiteTarget,
    prepared: PreparedPlan,
    lease: Lease,
    onProgress: (progress: PublishProgress) => void,
    signal: AbortSignal,
): Promise<PlanOutcome> {
    const { plan } = prepared;
    const { steps, contentSteps } = plan;
    const ended = new AbortController();
    const stop = AbortSignal.any([signal, lease.lost, ended.signal]);
    // Each request in progress adds a listener.
    setMaxListeners(0, stop);
    const run = new Run(target, prepared, stop);
    const progress = () => ({ done: run.done });
    const stopBeating = lease.beat(progress, signal);
    try {
        for (const phase of phases) {
            await run.phase(phase, async () => {
                await lease.keep(progress, signal);
                onProgress(run.progress);
            });
            if (phase === "contents" && contentSteps > 0) {
                await lease.save({ done: run.done, allowed: steps.length }, signal);
            }
        }
        onProgress(run.progress);
        return run.outcome;
    } catch (error) {
        stopBeating();
        ended.abort(error);
        await run.settle();
        lease.lost.throwIfAborted();
        // The next run continues without waiting. If saving the progress fails too, the first error is reported.
        await lease.save({ done: run.done, hasEnded: true }, AbortSignal.timeout(10_000)).catch(() => undefined);
        signal.throwIfAborted();
        throw error;
    } finally {
        stopBeating();
    }
}

class Run {
    /** All steps before this one are complete. */
    done = 0;
    readonly #target: SiteTarget;
    readonly #prepared: PreparedPlan;
    readonly #signal: AbortSignal;
    readonly #sources: ReturnType<typeof findSources>;
    readonly #isDone: Uint8Array;
    readonly #outcome = { sentFiles: 0, sentBytes: 0, copiedFiles: 0, removedFiles: 0 };
    #refused: RefusedRemoval | undefined;
    #next = 0;
    #doneCount = 0;
    #workers: Promise<void>[] = [];

    constructor(target: SiteTarget, prepared: PreparedPlan, signal: AbortSignal) {
        const { before, after, plan } = prepared;
        this.#target = target;
        this.#prepared = prepared;
        this.#signal = signal;
        this.#sources = findSources(before, after, plan);
        this.#isDone = new Uint8Array(plan.steps.length);
    }

    get progress(): PublishProgress {
        const totalFiles = this.#prepared.plan.steps.length;
        return { doneFiles: this.#doneCount, totalFiles, sentBytes: this.#outcome.sentBytes };
    }

    get outcome(): PlanOutcome {
        return this.#refused === undefined ? this.#outcome : { ...this.#outcome, refused: this.#refused };
    }

    /** Resolves when no step is in progress. */
    async settle(): Promise<void> {
        await Promise.allSettled(this.#workers);
    }

    /** Carries out all steps of a phase. */
    async phase(phase: Phase, onStep: () => Promise<void>): Promise<void> {
        const { steps } = this.#prepared.plan;
        const takeSteps = async () => {
            while (steps[this.#next]?.phase === phase) {
                this.#signal.throwIfAborted();
                await onStep();
                const first = this.#next;
                if (steps[first]?.phase !== phase) {
                    return;
                }
                this.#next += phase === "removals" ? Math.min(keysPerRemoval, steps.length - first) : 1;
                await this.#take(phase, first, this.#next);
            }
        };
        const count = phase === "removals" ? 1 : this.#target.concurrency;
        this.#workers = Array.from({ length: count }, takeSteps);
        await Promise.all(this.#workers);
    }

    async #take(phase: Phase, first: number, end: number): Promise<void> {
        const { steps } = this.#prepared.plan;
        if (phase === "removals") {
            const paths = steps.slice(first, end).map(({ path }) => path);
            const refused = await this.#target.remove(paths, this.#signal, this.#prepared.after);
            this.#outcome.removedFiles += paths.length - (refused?.paths.length ?? 0);
            this.#refuse(refused);
        } else {
            await this.#write(phase, steps[first]!.path);
        }
        this.#isDone.fill(1, first, end);
        this.#doneCount += end - first;
        while (this.#isDone[this.done] === 1) {
            this.done += 1;
        }
    }

    #refuse(refused: RefusedRemoval | undefined): void {
        const { paths = [], error } = this.outcome.refused ?? {};
        if (refused !== undefined) {
            this.#refused = { paths: [...paths, ...refused.paths], error: error ?? refused.error };
        }
    }

    async #write(phase: Phase, path: string): Promise<void> {
        const { after } = this.#prepared;
        const file = after.get(path)!;
        after.set(path, { ...file, mark: markOf(await this.#writeFile(phase, path, file)) });
    }

    /** @returns the tag of the new version */
    async #writeFile(phase: Phase, path: string, file: StoredFile): Promise<string> {
        const { folder, contents, prefix } = this.#prepared;
        const sources = phase === "contents" ? this.#sources.early : this.#sources.late;
        const source = sources.get(file.digest!);
        if (source !== undefined) {
            try {
                const tag = await this.#target.copy(source, path, file, this.#signal);
                this.#outcome.copiedFiles += 1;
                return tag;
            } catch (error) {
                this.#signal.throwIfAborted();
                if (folder === undefined || phase === "contents") {
                    throw error;
                }
                // The source of the copy was removed: send the file instead.
            }
        }
        if (folder === undefined) {
            throw new PublishError(`${this.#target.address} no longer has the content of ${path}.`);
        }
        const ofSite = path.slice(prefix.length);
        const content = contents.get(ofSite) ?? ofSite;
        const tag =
            typeof content === "string"
                ? await this.#target.send(path, join(folder, content), file, this.#signal)
                : await this.#target.write(path, content, this.#signal);
        this.#outcome.sentFiles += 1;
        this.#outcome.sentBytes += file.sizeBytes;
        return tag;
    }
}
