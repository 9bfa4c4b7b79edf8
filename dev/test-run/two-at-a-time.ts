/**
 * Starts the tasks in their order, two at a time, so that one uses the second core while the other waits or has work for a single
 * core, as a linker does.
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
