/**
 * Turns stack traces off until the returned function is called. Pulumi records four for each property of a resource,
 * for its debug mode, which took most of the time that a hundred sites added to a preview. Pulumi still
 * records where a resource is declared, because it sets the limit for that itself.
 */
export function pauseStackTraces(): () => void {
    const { stackTraceLimit } = Error;
    if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) {
        Error.stackTraceLimit = 0;
    }
    return () => {
        Error.stackTraceLimit = stackTraceLimit;
    };
}

/** Runs something without stack traces, except that of the error that it throws. */
export function withoutStackTraces<T>(run: () => T): T {
    const resume = pauseStackTraces();
    try {
        return run();
    } catch (error) {
        resume();
        throw traced(error);
    } finally {
        resume();
    }
}

/** Gives an error that was thrown during the pause a stack trace of where it is caught. */
export function traced(error: unknown): unknown {
    if (error instanceof Error) {
        Error.captureStackTrace(error, traced);
    }
    return error;
}
