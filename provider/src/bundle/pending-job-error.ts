/** A job that was started, and could not be brought to its bundle for now. The next update resumes it. */
export class PendingJobError extends Error {
    override readonly name = "PendingJobError";

    constructor(
        readonly jobId: string,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
    }
}
