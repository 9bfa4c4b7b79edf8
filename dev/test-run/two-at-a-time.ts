/**
 * Runs two of the tasks at a time, in their order: while one waits, or links, which takes one core, the other one computes.
 *
 * @returns what they returned, in the order in which they ended
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
