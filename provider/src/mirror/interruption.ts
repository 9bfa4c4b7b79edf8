const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` with a signal that is aborted after the time that it may take, and when the process is told to end; then
 * `work` cleans up before the process ends. Pulumi tells a provider only when the user insists, by a second Ctrl-C.
 */
export async function withInterruption<T>(
    timeoutMs: number,
    createTimeoutError: () => Error,
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(createTimeoutError()), timeoutMs);
    let received: NodeJS.Signals | undefined;
    const interrupt = (signal: NodeJS.Signals) => {
        received = signal;
        controller.abort(new Error(`interrupted by ${signal}`));
    };
    signals.forEach((signal) => process.on(signal, interrupt));
    try {
        return await work(controller.signal);
    } finally {
        clearTimeout(timer);
        signals.forEach((signal) => process.off(signal, interrupt));
        if (received !== undefined) {
            process.kill(process.pid, received);
        }
    }
}
