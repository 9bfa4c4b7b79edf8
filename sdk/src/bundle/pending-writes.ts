const maxPending = 16;

/**
 * Runs some writes concurrently while the archive is being read: writing thousands of small files one by one would
 * mostly wait for the disk.
 */
export class PendingWrites {
    readonly #pending = new Set<Promise<void>>();
    #failure: { error: unknown } | undefined;

    /** Resolves when there is room for another write. Rejects with the error of an earlier write. */
    async add(write: () => Promise<void>): Promise<void> {
        const pending: Promise<void> = write()
            .catch((error: unknown) => {
                this.#failure ??= { error };
            })
            .finally(() => this.#pending.delete(pending));
        this.#pending.add(pending);
        if (this.#pending.size >= maxPending) {
            await Promise.race(this.#pending);
        }
        this.#throwFailure();
    }

    /** Resolves when all writes have ended. Rejects with the first error. */
    async finish(): Promise<void> {
        await Promise.all(this.#pending);
        this.#throwFailure();
    }

    #throwFailure(): void {
        if (this.#failure !== undefined) {
            throw this.#failure.error;
        }
    }
}
