export function median(all: readonly number[]): number {
    const sorted = [...all].sort((a, b) => a - b);
    return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}
