/**
 * Determines how many cases the specs try: few if `SPEC_SCALE` is unset (`npm test`), and the long form if it is 1
 * (`npm run test:all`). A larger number multiplies the counts of the long form. A spec that imports this file has a
 * long form.
 */
const scale = Number(process.env["SPEC_SCALE"] ?? 0);

export const isLong = scale >= 1;

/** Whether to run even cases that take most of an hour. */
export const isLongest = scale > 1;

/** Returns a count, for example of random cases. */
export function scaled({ short, long }: { short: number; long: number }): number {
    return isLong ? long * scale : short;
}

/**
 * Declares a spec like `it`, but only in the long form: for a case that takes seconds and whose rule a quicker spec
 * covers.
 */
export function itInLong(title: string, run: Mocha.AsyncFunc): void {
    if (isLong) {
        it(title, run);
    }
}

/** Returns the entries of a table: all in the long form, otherwise the first two. */
export function entriesOf<T>(table: Readonly<Record<string, T>>): [string, T][] {
    return Object.entries(table).slice(0, isLong ? undefined : 2);
}
