/** Why a pod does not start. */
export class PodError extends Error {
    readonly reason: string;
    readonly advice: string;
    /** Whether another attempt may succeed. */
    readonly isTransient: boolean;

    /** @param reason - one sentence without the link's query */
    constructor(reason: string, advice = "", { isTransient = false } = {}) {
        super(advice === "" ? reason : `${reason} ${advice}`);
        this.name = "PodError";
        this.reason = reason;
        this.advice = advice;
        this.isTransient = isTransient;
    }
}

/** The text for the log and the status of a pod. Only the texts of our own errors are certain to contain no link. */
export function describePodError(error: unknown): string {
    if (error instanceof PodError) {
        return error.message;
    }
    const { code, syscall, name } = error as NodeJS.ErrnoException;
    return `The site could not be prepared: ${code === undefined ? name : `${syscall ?? name} failed with ${code}`}.`;
}
