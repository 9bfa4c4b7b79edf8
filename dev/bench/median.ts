export function median(all: readonly number[]): number {
    const sorted = [...all].sort((a, b) => a - b);
    return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

/** Returns the nearest-rank quantile of the values, such as the median for the share 0.5. */
export function quantile(values: readonly number[], share: number): number {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
