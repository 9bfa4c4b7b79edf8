/** The items in chunks of the given size; only the last chunk may be shorter. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
    const count = Math.ceil(items.length / size);
    return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
