/** A job that a run waits for, or whose result it has handed to Pulumi a moment ago. */
export interface JournalJob {
    readonly jobId: string;
    readonly startedAt: string;
    readonly deliveredAt?: string;
    /** Whether the process of that run is still there, as far as anybody can tell. */
    readonly isRunning: boolean;
    /** Lets this run wait for the job as well. The entry of a run that has ended becomes its own. */
    share(): Promise<RunEntry>;
    remove(): Promise<void>;
}

/** The entry of this very run: it says that the run waits for a job. */
export interface RunEntry {
    /** Says that the result was handed to Pulumi. */
    saveDelivery(): Promise<void>;
    remove(): Promise<void>;
    /** The same before it returns, for a process that is about to end. */
    removeNow(): void;
}

/** The last start for a key, as another run left it or is about to make it. */
export interface JournalStart {
    /** Starts for one key are counted. */
    readonly number: number;
    /** Absent for an entry that is damaged. */
    readonly startedAt?: string;
    /** Whether its process is still about to start the job, or waits for the answer. */
    readonly isUnderWay: boolean;
    /** Whether the request was sent and nobody knows what became of it. */
    readonly isOpen: boolean;
    /** The key that the request carried. */
    readonly idempotencyKey?: string;
    /** The job that was started, and an entry of this run for it. */
    readonly job?: { readonly jobId: string; share(): Promise<RunEntry> };
    /** Says that it is known by now what became of the request. */
    settle(): Promise<void>;
}

/** The right to start the job for a key: no other run has it at the same time. */
export interface StartClaim {
    readonly idempotencyKey: string;
    /**
     * Writes down that the request is about to be sent. False when the right is lost, as after the machine was
     * suspended: then nothing may be sent.
     */
    begin(): Promise<boolean>;
    /** Saves the job that was started. */
    saveJob(jobId: string): Promise<RunEntry>;
    /** Says that nobody knows whether a job was started. */
    saveUnanswered(): Promise<void>;
    /** Says that this run started no job. */
    release(): Promise<void>;
}
