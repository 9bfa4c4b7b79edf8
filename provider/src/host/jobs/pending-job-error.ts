/** A job that was started, and has not yielded its result yet. The next update resumes it. */
export class PendingJobError extends Error {
    override readonly name = "PendingJobError";

    constructor(
        readonly jobId: string,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
    }
}
