/** The reported progress of a job at one time. */
export interface ProgressPoint {
    readonly atMs: number;
    /** In percent. */
    readonly progress: number;
}

export interface ProgressLine {
    /** Percentage points per millisecond. */
    readonly perMs: number;
    /** Standard deviation of the points from the line, in percentage points. */
    readonly deviation: number;
    at(atMs: number): number;
}

/** Fits a straight line to the points by least squares; undefined if all points have the same time. */
export function fitProgressLine(points: readonly ProgressPoint[]): ProgressLine | undefined {
    const meanMs = points.reduce((sum, { atMs }) => sum + atMs, 0) / points.length;
    const meanProgress = points.reduce((sum, { progress }) => sum + progress, 0) / points.length;
    let spread = 0;
    let joint = 0;
    for (const { atMs, progress } of points) {
        spread += (atMs - meanMs) ** 2;
        joint += (atMs - meanMs) * (progress - meanProgress);
    }
    if (!(spread > 0)) {
        return undefined;
    }
    const perMs = joint / spread;
    const at = (atMs: number) => meanProgress + perMs * (atMs - meanMs);
    const squares = points.reduce((sum, { atMs, progress }) => sum + (progress - at(atMs)) ** 2, 0);
    return { perMs, deviation: Math.sqrt(squares / Math.max(1, points.length - 2)), at };
}
