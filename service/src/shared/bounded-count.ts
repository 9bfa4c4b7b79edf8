/** Far more than a site has pages, and within the limits of every column. */
const maxCount = 1_000_000_000;

/** A number from outside as a whole number from 0 to `max`; what is not a number counts as 0. */
export function boundedCount(value: number, max = maxCount): number {
    return Number.isNaN(value) ? 0 : Math.floor(Math.min(Math.max(value, 0), max));
}
