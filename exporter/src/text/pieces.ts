/** The items in pieces of the size; only the last one is shorter. */
export function piecesOf<T>(items: readonly T[], size: number): T[][] {
    const count = Math.ceil(items.length / size);
    return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
