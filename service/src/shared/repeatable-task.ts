/** Runs one task at a time: a request during a run makes the task run once more. */
export class RepeatableTask {
    readonly #task: () => Promise<void>;
    #running: Promise<void> | undefined;
    #isWanted = false;

    /** @param task - never rejects */
    constructor(task: () => Promise<void>) {
        this.#task = task;
    }

    request(): void {
        this.#isWanted = true;
        this.#running ??= this.#run();
    }

    /** Resolves when no run is in progress or requested. */
    async settled(): Promise<void> {
        await this.#running;
    }

    async #run(): Promise<void> {
        while (this.#isWanted) {
            this.#isWanted = false;
            await this.#task();
        }
        this.#running = undefined;
    }
}
