/** Formats a duration for readers: "45 s", "2 min 5 s", "3 min". */
export function formatDuration(durationMs: number): string {
    const seconds = Math.round(durationMs / 1000);
    const minutes = Math.floor(seconds / 60);
    const parts = [minutes > 0 ? `${minutes} min` : "", seconds % 60 > 0 || minutes === 0 ? `${seconds % 60} s` : ""];
    return parts.filter((part) => part !== "").join(" ");
}

interface HeartbeatOptions {
    readonly report: (line: string) => void;
    /** @default 30 s, short enough for CI systems that end a silent job */
    readonly intervalMs?: number;
    readonly now?: () => number;
}

/** Reports at intervals that `work` is still running; at the end, reports the duration unless `work` has failed. */
export async function withHeartbeat<T>(
    { started, ended }: { readonly started: string; readonly ended: string },
    { report, intervalMs = 30_000, now = performance.now.bind(performance) }: HeartbeatOptions,
    work: () => Promise<T>,
): Promise<T> {
    const startedAt = now();
    const elapsed = () => formatDuration(now() - startedAt);
    const timer = setInterval(() => report(`Still ${started} (${elapsed()} so far).`), intervalMs);
    try {
        const result = await work();
        report(`${ended} in ${elapsed()}.`);
        return result;
    } finally {
        clearInterval(timer);
    }
}
