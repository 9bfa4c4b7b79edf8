import type { Owner } from "./owner.js";

/** What the file of a start says. */
export interface StartRecord {
    /** What the job is about, for people who read the folder. */
    subject: string;
    startedAt: string;
    owner: Owner;
    /** The request is about to be sent, or was sent: until then nobody has to ask what became of it. */
    isSent?: true;
    /** What the request carries, so that it can be repeated. */
    idempotencyKey?: string;
    /** How the start ended; absent while it is under way, and when its process ended before it. */
    outcome?: "started" | "refused" | "unanswered" | "settled";
    /** Of a start that was answered. */
    jobId?: string;
}

/** What the file of a run that waits for a job says. */
export interface JobRecord {
    subject: string;
    jobId: string;
    startedAt: string;
    owner: Owner;
    /** When the result was handed to Pulumi, which saves it then. */
    deliveredAt?: string;
}

/** Undefined for what is damaged: it must neither fail a run nor be adopted. */
export function parseStartRecord(content: unknown): StartRecord | undefined {
    const record = parseRecord(content);
    const isStart =
        record !== undefined &&
        isOptionalText(record.idempotencyKey) &&
        isOptionalText(record.outcome) &&
        isOptionalText(record.jobId);
    return isStart ? (record as unknown as StartRecord) : undefined;
}

/** Undefined for what is damaged. */
export function parseJobRecord(content: unknown): JobRecord | undefined {
    const record = parseRecord(content);
    const isJob =
        record !== undefined &&
        isText(record.jobId) &&
        (record.deliveredAt === undefined || isDateTime(record.deliveredAt));
    return isJob ? (record as unknown as JobRecord) : undefined;
}

/** Version 0.1.0 called the subject `domain`. */
function parseRecord(content: unknown): Record<string, unknown> | undefined {
    if (!isObject(content) || !isObject(content.owner) || !isDateTime(content.startedAt)) {
        return undefined;
    }
    const { id, host, pid } = content.owner;
    const subject = content.subject ?? content.domain;
    return isText(subject) && isOptionalText(id) && isText(host) && Number.isSafeInteger(pid)
        ? { ...content, subject }
        : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
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
