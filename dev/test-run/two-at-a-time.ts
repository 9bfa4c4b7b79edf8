/**
 * Starts the tasks in order, two at a time, so that both cores are in use even if one task waits, or uses only one
 * core, as a linker does.
 * @returns their results, in the order in which they ended
 */
export async function runTwoAtATime<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
    const waiting = [...tasks];
    const results: T[] = [];
    const lane = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
            results.push(await next());
        }
    };
    await Promise.all([lane(), lane()]);
    return results;
}
