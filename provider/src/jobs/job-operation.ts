import type { AdminClient } from "@pulumi-static-export/sdk";
import { JobLog } from "../engine/job-log.js";
import { timeoutMsOf } from "../engine/time-limit.js";
import type { JobRuntime } from "./runtime.js";

/** One operation of a resource with jobs, with one deadline for all its requests. */
export abstract class JobOperation<Inputs extends { timeoutSeconds?: number }, State> {
    protected readonly client: AdminClient;
    protected readonly timeoutMs: number;
    /** After the deadline, requests in flight are finished but not retried. */
    protected readonly deadlineMs: number;
    /** The beginning of log lines. */
    protected abstract readonly subject: string;

    /** @param olds - the state before an update @throws MissingSettingError before any request */
    constructor(
        protected readonly runtime: JobRuntime,
        protected readonly inputs: Inputs,
        protected readonly olds?: State,
    ) {
        this.client = runtime.connect().client;
        this.timeoutMs = timeoutMsOf(runtime, inputs);
        this.deadlineMs = runtime.clock.now() + this.timeoutMs;
    }

    protected log(jobId: string): JobLog {
        return new JobLog(this.subject, jobId, this.runtime);
    }
}
