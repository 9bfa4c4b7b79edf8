import type { Journal } from "../engine/journal/journal.js";

/**
 * The jobs whose results are in a state, as far as this process knows: no run adopts them again. The list is only in
 * memory, so that a diff, which must not change anything outside of its process, can add the job of its state.
 */
export class SavedJobs {
    readonly #ids = new Set<string>();

    add(jobId: string | undefined): void {
        if (jobId !== undefined) {
            this.#ids.add(jobId);
        }
    }

    has(jobId: string): boolean {
        return this.#ids.has(jobId);
    }
}

/**
 * Forgets jobs that a state contains: after a later change back to the same inputs, a new job must run.
 *
 * @param ids - ids of jobs, or the names under which the journal knows their messages
 */
export async function forgetSavedJobs(
    { journal, savedJobs }: { journal: Journal; savedJobs: SavedJobs },
    ids: readonly (string | undefined)[],
): Promise<void> {
    for (const id of ids) {
        if (id !== undefined) {
            savedJobs.add(id);
            await journal.forget(id);
        }
    }
}
