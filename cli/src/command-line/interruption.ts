const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process got SIGINT (Ctrl-C) or SIGTERM. */
export class InterruptedError extends Error {
    override readonly name = "InterruptedError";
    /** 128 + the number of the signal, as shells report it. */
    readonly exitCode: number;

    constructor(signal: keyof typeof exitCodes) {
        super("Interrupted.");
        this.exitCode = exitCodes[signal];
    }
}

/**
 * Turns Ctrl-C and SIGTERM into an abort, so that `use` can clean up. A second signal ends the process immediately.
 * @param onInterrupt - prints what the command is still waiting for, if that takes time
 */
export async function withInterruption<T>(
    use: (signal: AbortSignal) => Promise<T>,
    onInterrupt?: () => void,
): Promise<T> {
    const controller = new AbortController();
    const stop = (signal: keyof typeof exitCodes): void => {
        if (controller.signal.aborted) {
            process.exit(exitCodes[signal]);
        }
        controller.abort(new InterruptedError(signal));
        onInterrupt?.();
    };
    const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
    signals.forEach((signal) => process.on(signal, stop));
    try {
        return await use(controller.signal);
    } finally {
        signals.forEach((signal) => process.off(signal, stop));
    }
}
