import fc from "fast-check";

/**
 * Tests a property. A failure prints the `<name>_SEED` and `<name>_PATH` that repeat it; with both set, only that case
 * runs.
 *
 * @param shrink - whether to minimise a failing case, which repeats it many times
 */
export async function assertHolds<T>(
    property: fc.IAsyncProperty<[T]>,
    { name, runs, shrink, command }: { name: string; runs: number; shrink: boolean; command: string },
): Promise<void> {
    const { [`${name}_SEED`]: seed, [`${name}_PATH`]: path } = process.env;
    const details = await fc.check(property, {
        numRuns: runs,
        endOnFailure: !shrink || path !== undefined,
        ...(seed === undefined ? {} : { seed: Number(seed) }),
        ...(path === undefined ? {} : { path }),
    });
    if (details.failed) {
        const replay = `${name}_SEED=${details.seed} ${name}_PATH=${details.counterexamplePath} ${command}`;
        throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n\nTo repeat it: ${replay}`, {
            cause: details.errorInstance,
        });
    }
}
