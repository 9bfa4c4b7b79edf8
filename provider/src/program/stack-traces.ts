/**
 * Lets errors have no stack trace until the returned function is called. Pulumi records four for each property of a
 * resource, for a debug mode of its own, and that was most of what a hundred sites added to the time of a preview. Where
 * a resource is declared stays known: Pulumi sets the limit for that itself.
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

/** Does something without stack traces, beside that of the error by which it fails. */
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

/** An error that was thrown during the pause, with where it is caught. */
export function traced(error: unknown): unknown {
    if (error instanceof Error) {
        Error.captureStackTrace(error, traced);
    }
    return error;
}
