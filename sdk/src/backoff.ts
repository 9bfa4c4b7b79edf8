export interface BackoffOptions {
    baseMs: number;
    capMs: number;
    /** In [0, 1). */
    random: () => number;
}

/** Full jitter: anything from 0 to `baseMs`, doubled with each attempt up to `capMs`. `attempt` starts at 1. */
export function backoffMs(attempt: number, { baseMs, capMs, random }: BackoffOptions): number {
    return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}
