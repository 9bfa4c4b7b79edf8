/** One row: the operation, and its time in each round. */
export interface Figure {
    what: string;
    seconds: number[];
    /** The comparison with the other rows of the same run. */
    ratio: string;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
    const startedMs = performance.now();
    await work();
    return (performance.now() - startedMs) / 1000;
}
