import type { AdminClient } from "@pulumi-static-export/sdk";
import type { StartIntent } from "../start-keys/start-key.js";

/** Returns the value of `JobTask.unanswered` for a start: a job may have been started. */
export function unansweredStart(noun: string): string {
    return `${noun} may be in progress. Starting another one. To adopt the first one instead, set its jobId.`;
}

/** How long the result of a lost run may be missing before the next run. */
export const replayFreshForMs = 15 * 60_000;

/** Describes the one job that an operation starts or adopts, and its deadline. */
export interface JobTask {
    client: AdminClient;
    /** Identifies this task in the journal. */
    key: unknown;
    /** The source of the task's start keys; undefined if they are random. */
    intent: StartIntent | undefined;
    /** The prefix of log lines, such as the domain. */
    subject: string;
    /** The beginning of messages, such as `Export of docs.example.com`. */
    title: string;
    /** The word for a job in the middle of a sentence, such as `export`. */
    noun: string;
    /**
     * The possible effect of an earlier request without a response, and the next step. Continues a message that ends
     * with "so its".
     */
    unanswered: string;
    deadlineMs: number;
    /** How long a completed job may be adopted for the same inputs; its result is outdated afterwards. */
    freshForMs: number;
    /**
     * The same for a job that the platform found by the key of its start. The key says that the same resource started
     * it, but not whether its result was lost or the resource was deleted since.
     */
    replayFreshForMs: number;
    /** Whether a failed job counts as a result. */
    acceptsFailed: boolean;
    /** Whether a failed job counts as a result if the platform found it by the key of its start. */
    acceptsFailedReplay: boolean;
    get(jobId: string): Promise<JobStatus>;
}

export interface JobStatus {
    status: string;
    error?: string | undefined;
    /** RFC 3339, according to the platform's clock. */
    updatedAt?: string | undefined;
}
