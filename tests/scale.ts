/**
 * How much the specs try. Without it (`npm test`) they try little; 1 is the long form, which `npm run test:all` runs;
 * more multiplies the counts of the long form. A spec that imports this file has a long form.
 */
const scale = Number(process.env["SPEC_SCALE"] ?? 0);

export const isLong = scale >= 1;

/** Whether to try also what takes most of an hour. */
export const isLongest = scale > 1;

/** A count, such as of random cases. */
export function scaled({ short, long }: { short: number; long: number }): number {
    return isLong ? long * scale : short;
}

/** Like `it`, for a row of the long form: it takes seconds, and a quicker spec covers its rule. */
export function itInLong(title: string, run: Mocha.AsyncFunc): void {
    if (isLong) {
        it(title, run);
    }
}

/** The entries of a table: all in the long form, otherwise the first two. */
export function entriesOf<T>(table: Readonly<Record<string, T>>): [string, T][] {
    return Object.entries(table).slice(0, isLong ? undefined : 2);
}
