import assert from "node:assert/strict";
import { exportOf, type BundleInputs } from "../../../provider/src/static-export-bundle/model.js";

const freshForMs = 3600_000;

/** What a run says that cannot know whether a killed one has started a job. */
export const warnsOfTwoJobs =
    /an earlier run, at .*, got no response to its request, so its .* may be in progress\. .*set its jobId/;

/**
 * One change of what is exported, over all the runs it takes. It has a right to one job, and to one more for each
 * excuse: a job that failed or that the platform lost, a start of which nobody knows whether it took effect, and a run
 * that was killed and whose export has grown old since.
 */
export class Change {
    readonly #key: string;
    readonly #starts: { jobId: string; atMs: number }[] = [];
    readonly #lost = new Set<string>();
    readonly #excuses: string[] = [];
    #wasKilled = false;
    #isStartUnknown = false;
    #startedInThisRun = 0;

    constructor(program: BundleInputs) {
        this.#key = keyOf(program);
    }

    isOf(program: BundleInputs): boolean {
        return this.#key === keyOf(program);
    }

    noteStart(jobId: string, atMs: number): void {
        const last = this.#starts.at(-1);
        if (last && this.#wasKilled && atMs - last.atMs >= freshForMs) {
            this.#excuses.push("a run was killed, and its export is more than an hour old");
        }
        this.#starts.push({ jobId, atMs });
        this.#startedInThisRun++;
    }

    noteLoss(jobId: string): void {
        if (this.#starts.some((start) => start.jobId === jobId)) {
            this.#lost.add(jobId);
        }
    }

    noteKill({ wasStarting }: { wasStarting: boolean }): void {
        this.#wasKilled = true;
        if (wasStarting) {
            this.#isStartUnknown = true;
            this.#excuses.push("killed before the start was answered");
        }
    }

    noteFailure(message: string): void {
        if (message.includes("may or may not have been started")) {
            assert.match(message, /adopt it by setting its jobId/);
            this.#isStartUnknown = true;
            this.#excuses.push("an ambiguous start");
        }
    }

    /** A run that adopted the job which the program names: nobody waits for another one any more. */
    noteAdoption(): void {
        this.#isStartUnknown = false;
    }

    assertStartedOnce({ jobId }: BundleInputs, lines: readonly string[]): void {
        const rights = 1 + this.#lost.size + this.#excuses.length;
        const excuses = [...[...this.#lost].map((jobId) => `${jobId} failed or was lost`), ...this.#excuses];
        const starts = this.#starts.map(({ jobId }) => jobId);
        assert.ok(
            starts.length <= rights,
            `${starts.join(", ")} started for one change; excuses: ${excuses.join("; ")}`,
        );
        const mayStart = jobId === undefined ? 1 : 0;
        assert.ok(
            this.#startedInThisRun <= mayStart,
            `started ${this.#startedInThisRun} jobs in one run, where ${mayStart} may be`,
        );
        if (lines.some((line) => warnsOfTwoJobs.test(line))) {
            this.#isStartUnknown = false;
        }
        assert.ok(!this.#isStartUnknown || this.#startedInThisRun === 0, "nobody was told that there may be two jobs");
        this.#startedInThisRun = 0;
    }
}

function keyOf(program: BundleInputs): string {
    return JSON.stringify(exportOf(program));
}
