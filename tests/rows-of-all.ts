/** Whether `npm run test:all` runs the specs, with the rows that `npm test` leaves out. */
export const withAllRows = process.env["ROWS"] === "all";

/** Like `it`, for a row that only `npm run test:all` runs: it takes seconds, and a quicker spec covers its rule. */
export function itInAll(title: string, run: Mocha.AsyncFunc): void {
    if (withAllRows) {
        it(title, run);
    }
}
