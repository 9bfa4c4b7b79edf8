/** A job was started but has no result yet. The next update resumes it. */
export class PendingJobError extends Error {
    override readonly name = "PendingJobError";

    constructor(
        readonly jobId: string,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
    }
}
