/**
 * Turns stack traces off until the returned function is called. For its debug mode, Pulumi records four stack traces
 * for each property of a resource, which took most of the time that a hundred sites added to a preview. Pulumi still
 * records where a resource is declared, because it sets the stack trace limit for that itself.
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

/** Runs a function without stack traces, except for an error that the function throws. */
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

/** Adds a stack trace, which begins where the error is caught, to an error that was thrown without one. */
export function traced(error: unknown): unknown {
    if (error instanceof Error) {
        Error.captureStackTrace(error, traced);
    }
    return error;
}
