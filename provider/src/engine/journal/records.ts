import { isRecord } from "@pulumi-static-export/contract";
import type { Owner } from "./owner.js";

/** The content of a start's journal file. */
export interface StartRecord {
    /** The subject of the job, for people who look into the folder. */
    subject: string;
    startedAt: string;
    owner: Owner;
    /**
     * Whether the request is about to be sent or was sent. Before the request, the start has no effect on the platform.
     */
    isSent?: true;
    /** The request's idempotency key, needed to repeat it. */
    idempotencyKey?: string;
    /** The outcome of the start. Absent while the start is in flight, or if its process ended first. */
    outcome?: "started" | "refused" | "unanswered" | "settled";
    /** The job, if the start got a response. */
    jobId?: string;
}

/** The content of the journal file of an operation that waits for a job. */
export interface JobRecord {
    subject: string;
    jobId: string;
    startedAt: string;
    owner: Owner;
    /** When the result was passed to Pulumi, which then saves it. */
    deliveredAt?: string;
}

/** Returns undefined for a damaged record, which must not fail an operation or be used. */
export function parseStartRecord(content: unknown): StartRecord | undefined {
    const record = parseRecord(content);
    const isStart =
        record !== undefined &&
        isOptionalText(record.idempotencyKey) &&
        isOptionalText(record.outcome) &&
        isOptionalText(record.jobId);
    return isStart ? (record as unknown as StartRecord) : undefined;
}

/** Returns undefined for a damaged record. */
export function parseJobRecord(content: unknown): JobRecord | undefined {
    const record = parseRecord(content);
    const isJob =
        record !== undefined &&
        isText(record.jobId) &&
        (record.deliveredAt === undefined || isDateTime(record.deliveredAt));
    return isJob ? (record as unknown as JobRecord) : undefined;
}

function parseRecord(content: unknown): Record<string, unknown> | undefined {
    if (!isRecord(content) || parseOwner(content) === undefined || !isDateTime(content.startedAt)) {
        return undefined;
    }
    return isText(content.subject) ? content : undefined;
}

/** Returns the process that wrote a record; undefined for a damaged record. */
export function parseOwner(content: unknown): Owner | undefined {
    if (!isRecord(content) || !isRecord(content.owner)) {
        return undefined;
    }
    const { id, host, pid } = content.owner;
    return isText(id) && isText(host) && Number.isSafeInteger(pid) ? (content.owner as unknown as Owner) : undefined;
}

function isText(value: unknown): value is string {
    return typeof value === "string" && value !== "";
}

function isOptionalText(value: unknown): boolean {
    return value === undefined || isText(value);
}

function isDateTime(value: unknown): boolean {
    return isText(value) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
