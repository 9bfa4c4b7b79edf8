/** Requests a page repeatedly until it is stopped, and records every response that is not the page. */
export class SteadyReader {
    readonly #stop = new AbortController();
    readonly #loop: Promise<void>;
    readonly #failures: string[] = [];
    #answered = 0;

    /** @param address - the address of a page whose text `isWhole` accepts */
    constructor(address: string, isWhole: (text: string) => boolean) {
        this.#loop = this.#run(address, isWhole);
    }

    /** Stops the requests, and returns their number. @throws if one of them failed */
    async stop(): Promise<number> {
        this.#stop.abort();
        await this.#loop;
        if (this.#failures.length > 0) {
            const [first] = this.#failures;
            throw new Error(`${this.#failures.length} of ${this.#answered} requests failed; the first: ${first}`);
        }
        return this.#answered;
    }

    async #run(address: string, isWhole: (text: string) => boolean): Promise<void> {
        while (!this.#stop.signal.aborted) {
            try {
                const response = await fetch(address);
                const text = await response.text();
                if (!response.ok || !isWhole(text)) {
                    this.#failures.push(`status ${response.status}, ${text.length} bytes`);
                }
            } catch (error) {
                this.#failures.push(String(error));
            }
            this.#answered += 1;
            // Pauses, so that the reader does not use all of this machine's CPU time.
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
    }
}
