/** A job that an operation is waiting for, or whose result it has just passed to Pulumi. */
export interface JournalJob {
    readonly jobId: string;
    readonly startedAt: string;
    readonly deliveredAt?: string;
    /** Whether the waiting operation's process is still running, as far as known. */
    readonly isRunning: boolean;
    /** Records that this operation also waits for the job. Replaces the entry of an operation that has ended. */
    share(): Promise<JobEntry>;
    remove(): Promise<void>;
}

/** This operation's own entry, which records that the operation is waiting for a job. */
export interface JobEntry {
    /** Records that the result was passed to Pulumi. */
    saveDelivery(): Promise<void>;
    remove(): Promise<void>;
    /** Removes the entry synchronously, for a process that is about to exit. */
    removeNow(): void;
}

/** The last start for a key, which another operation has made or is making. */
export interface JournalStart {
    /** Counts the starts for one key. */
    readonly number: number;
    /** Absent for a damaged entry. */
    readonly startedAt?: string;
    /** Whether the start's process is about to send the request or is waiting for the response. */
    readonly isUnderWay: boolean;
    /** Whether the request was sent, but its outcome is unknown. */
    readonly isOpen: boolean;
    /** The idempotency key of the request. */
    readonly idempotencyKey?: string;
    /** The job that was started. `share` records that this operation also waits for it. */
    readonly job?: { readonly jobId: string; share(): Promise<JobEntry> };
    /** Records that the outcome of the request is known. */
    settle(): Promise<void>;
}

/** The exclusive right to start the job for a key. */
export interface StartClaim {
    readonly idempotencyKey: string;
    /** Whether the key was sent before, in a request without a response. */
    readonly isRepetition: boolean;
    /**
     * Records that the request is about to be sent, with the claim's key or another key. Returns false if the right was
     * lost, for example while the machine was suspended: then no request may be sent.
     */
    begin(idempotencyKey?: string): Promise<boolean>;
    /** Saves the job that was started. */
    saveJob(jobId: string): Promise<JobEntry>;
    /** Records that it is unknown whether a job was started. */
    saveUnanswered(): Promise<void>;
    /** Records that this operation started no job. */
    release(): Promise<void>;
}
