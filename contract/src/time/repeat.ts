import { setTimeout } from "node:timers/promises";

/** When a failed attempt is repeated. */
export interface Repetition {
    /**
     * How long to wait before the next attempt; undefined to give up.
     * @param attempt - the number of the failed attempt, counted from 1
     */
    delayMs(error: unknown, attempt: number): number | undefined | Promise<number | undefined>;
    /** @default the machine's timer */
    sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

/** Makes attempts until one succeeds or `delayMs` gives up; then throws the last error. */
export async function repeat<T>(act: () => Promise<T>, { delayMs, sleep = setTimeout }: Repetition): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
        try {
            return await act();
        } catch (error) {
            const delay = await delayMs(error, attempt);
            if (delay === undefined) {
                throw error;
            }
            await sleep(delay);
        }
    }
}
