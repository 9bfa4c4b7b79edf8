/** Called between the batches of long work. @throws to end the work there */
export type BetweenBatches = () => Promise<void>;

/** How many objects and rows a batch has: one request to the storage. */
export const batchSize = 1000;

/**
 * Removes objects and their rows batch by batch.
 *
 * @param find the next rows, at most `batchSize`
 * @param remove after it, `find` no longer returns these rows
 */
export async function removeInBatches<Row>(
    find: () => Promise<readonly Row[]>,
    remove: (rows: readonly Row[]) => Promise<void>,
    betweenBatches: BetweenBatches,
): Promise<void> {
    let rows: readonly Row[];
    do {
        rows = await find();
        await remove(rows);
        await betweenBatches();
    } while (rows.length === batchSize);
}
