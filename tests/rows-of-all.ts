/** Whether `npm run test:all` runs the specs, with the rows that `npm test` leaves out. */
export const withAllRows = process.env["ROWS"] === "all";

/** Like `it`, for a row that only `npm run test:all` runs: it takes seconds, and a quicker spec covers its rule. */
export function itInAll(title: string, run: Mocha.AsyncFunc): void {
    if (withAllRows) {
        it(title, run);
    }
}

/** The entries of a table: all in `npm run test:all`, the first two in `npm test`. */
export function inTest<T>(table: Readonly<Record<string, T>>): [string, T][] {
    return Object.entries(table).slice(0, withAllRows ? undefined : 2);
}
