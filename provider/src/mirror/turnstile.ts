/** Lets a number of tasks run at once and the others wait in line: one process mirrors all bundles of a stack. */
export class Turnstile {
    #free: number;
    readonly #waiting: (() => void)[] = [];

    constructor(atOnce: number) {
        this.#free = atOnce;
    }

    async pass<T>(task: () => Promise<T>): Promise<T> {
        if (this.#free > 0) {
            this.#free -= 1;
        } else {
            await new Promise<void>((resolve) => this.#waiting.push(resolve));
        }
        try {
            return await task();
        } finally {
            const next = this.#waiting.shift();
            if (next) {
                next();
            } else {
                this.#free += 1;
            }
        }
    }
}
