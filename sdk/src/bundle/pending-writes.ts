const maxPending = 16;

/**
 * Lets some writes run while the archive is read on: a site has thousands of small files, and one after the other they
 * would mostly wait for the disk.
 */
export class PendingWrites {
    readonly #pending = new Set<Promise<void>>();
    #failure: { error: unknown } | undefined;

    /** Returns once there is room for another write. Throws what an earlier one failed with. */
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

    /** Returns once all writes have ended. Throws what the first failed with. */
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
