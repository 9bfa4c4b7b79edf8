/** Longer names are not compared, so that a hostile page costs no time. */
const maxLength = 60;

/** @returns the known name that an author most likely meant; undefined if none is similar */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
    if (name.length > maxLength) {
        return undefined;
    }
    const typed = name.toLowerCase();
    // A third of the letters, so that short names are not confused.
    let best = { distance: Math.min(3, Math.floor(typed.length / 3)) + 1, name: undefined as string | undefined };
    for (const each of known) {
        if (each !== name && Math.abs(each.length - name.length) < best.distance) {
            const distance = editDistance(typed, each.toLowerCase());
            best = distance < best.distance ? { distance, name: each } : best;
        }
    }
    return best.name;
}

/** The number of letters to insert, remove, replace or swap (optimal string alignment distance). */
function editDistance(from: string, to: string): number {
    let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
    for (let row = 1; row <= from.length; row += 1) {
        const current = [row];
        for (let column = 1; column <= to.length; column += 1) {
            const isSame = from[row - 1] === to[column - 1];
            const isSwap =
                row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
            current[column] = Math.min(
                last[column]! + 1,
                current[column - 1]! + 1,
                last[column - 1]! + (isSame ? 0 : 1),
                isSwap ? beforeLast[column - 2]! + 1 : Infinity,
            );
        }
        [beforeLast, last] = [last, current];
    }
    return last[to.length]!;
}
