/** When a job may end, as seen from its latest sample. */
export interface Forecast {
    /** Best guess of the time left; 0 when the job says that all is done. */
    readonly remainingMs: number;
    /** By how much the guess may well be wrong. */
    readonly marginMs: number;
    /** Progress in percent that the job should have made after a further time. */
    readonly progressAfter: (ms: number) => number;
}

export interface ProgressForecaster {
    /** How the latest sample relates to the ones before. */
    add(atMs: number, progress: number): void;
    forecast(): Forecast | undefined;
}

interface Point {
    readonly atMs: number;
    readonly progress: number;
}

/** Up to 1 % nothing is forecast: that is noise, a job that is queued, or a share (0–1) told as a percentage. */
const leastProgress = 1;

/** A straight line is laid through this share of the time watched: speed changes, so the latest part counts. */
const windowShare = 0.4;

/** A line through less progress than this (percent points) says more about rounding than about speed. */
const leastAdvance = 4;

const maxPoints = 64;

/** Lays a straight line (least squares) through the recent progress of a job, and follows it to 100 %. */
export function createProgressForecaster(): ProgressForecaster {
    let points: Point[] = [];

    return {
        add(atMs, progress) {
            points.push({ atMs, progress });
            if (points.length > maxPoints) {
                // The older half is thinned, so the memory stays bounded and the window keeps its length.
                points = points.filter((_, index) => index % 2 === 0 || index > maxPoints / 2);
            }
        },
        forecast() {
            const first = points[0];
            const last = points.at(-1);
            if (first === undefined || last === undefined || last.progress <= leastProgress) {
                return undefined;
            }
            const window = recent(points, last.atMs - windowShare * (last.atMs - first.atMs), last.progress - leastAdvance);
            const line = fit(window);
            if (line === undefined || line.perMs <= 0) {
                return undefined;
            }
            const fitted = Math.min(100, Math.max(last.progress - Number(process.env.LASTM ?? 0), line.at(last.atMs)));
            const remainingMs = last.progress >= 100 ? 0 : (100 - fitted) / line.perMs;
            return {
                remainingMs,
                marginMs: Number(process.env.M1 ?? 0.1) * remainingMs + Number(process.env.M2 ?? 1) * Math.max(0.5, line.deviation) / line.perMs,
                progressAfter: (ms) => fitted + line.perMs * ms,
            };
        },
    };
}

/** The points since a time, and as many before as it takes to see some advance. */
function recent(points: readonly Point[], sinceMs: number, belowProgress: number): readonly Point[] {
    let start = points.length - 1;
    for (let index = points.length - 1; index >= 0; index -= 1) {
        const point = points[index];
        if (point === undefined) {
            break;
        }
        const next = points[index + 1];
        if (next !== undefined && next.atMs < sinceMs && next.progress <= belowProgress) {
            break;
        }
        start = index;
    }
    return points.slice(start);
}

function fit(points: readonly Point[]): { perMs: number; at: (atMs: number) => number; deviation: number } | undefined {
    const count = points.length;
    const meanMs = points.reduce((sum, { atMs }) => sum + atMs, 0) / count;
    const meanProgress = points.reduce((sum, { progress }) => sum + progress, 0) / count;
    let spread = 0;
    let joint = 0;
    for (const { atMs, progress } of points) {
        spread += (atMs - meanMs) ** 2;
        joint += (atMs - meanMs) * (progress - meanProgress);
    }
    if (count < 2 || spread === 0) {
        return undefined;
    }
    const perMs = joint / spread;
    const at = (atMs: number) => meanProgress + perMs * (atMs - meanMs);
    const squares = points.reduce((sum, { atMs, progress }) => sum + (progress - at(atMs)) ** 2, 0);
    return { perMs, at, deviation: Math.sqrt(squares / Math.max(1, count - 2)) };
}
