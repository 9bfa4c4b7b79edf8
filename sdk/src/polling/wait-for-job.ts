import type { AdminApi } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import { absenceCheckMs, backoffMs, isTransient, maxRetryAfterMs, retryDelayMs } from "../http/retry.js";
import type { WaitOptions } from "../http/call-options.js";
import {
    HttpError,
    InvalidResponseError,
    JobFailedError,
    PollTimeoutError,
    type StaticExportError,
} from "../errors/index.js";
import { PollInterval } from "./poll-interval.js";
import { pollUntil } from "./poller.js";
import { settingsNumber } from "../http/settings.js";

const defaultTimeoutMs = 3_600_000;
/** The number of consecutive invalid responses that end the wait; a single one may come from a proxy. */
const maxInvalidResponses = 3;

/** The number of consecutive answers that a job does not exist: of the API, and of a gateway whose server may return. */
const maxAbsences = 2;
const maxGatewayAbsences = 10;

export interface JobKind<Job> {
    statusOf(job: Job): string;
    progressOf(job: Job): number | undefined;
    reasonOf(job: Job): string | undefined;
    terminal: ReadonlySet<string>;
    known: ReadonlySet<string>;
    /** The terminal status of a job that failed. */
    failed: string;
}

interface WaitRules<Job> {
    /** Whether a terminal status ends the wait. @default always */
    isFinal?: (job: Job) => boolean;
    /** @default true */
    isFailureThrown?: boolean | undefined;
}

/** Waits for a job of any kind by polling its status. */
export async function waitForJob<Job>(
    api: AdminApi,
    call: ApiCall<Job>,
    kind: JobKind<Job>,
    options: WaitOptions<Job>,
    { isFinal = () => true, isFailureThrown = true }: WaitRules<Job> = {},
): Promise<Job> {
    const { clock, backoff } = api;
    const context = api.contextOf(call);
    const startedMs = clock.now();
    const deadlineMs = Math.min(
        startedMs + settingsNumber("timeoutMs", options.timeoutMs, defaultTimeoutMs, 0),
        settingsNumber("deadlineMs", options.deadlineMs, Infinity, 0),
    );
    const interval = new PollInterval(backoff.random);
    let unknownStatuses = 0;
    let invalidResponses = 0;
    let absences = 0;

    const outcome = await pollUntil<Job>({
        clock,
        deadlineMs,
        signal: options.signal,
        poll: async (signal) => {
            const { value, retryAfterMs = 0 } = await api.attempt(call, { signal, deadlineMs });
            invalidResponses = 0;
            absences = 0;
            return { value, retryAfterMs: Math.min(retryAfterMs, maxRetryAfterMs) };
        },
        isDone: (job) => isFinal(job) && kind.terminal.has(kind.statusOf(job)),
        nextDelayMs: (job) => {
            const delayMs = interval.next({ nowMs: clock.now(), progress: kind.progressOf(job) });
            unknownStatuses = kind.known.has(kind.statusOf(job)) ? 0 : unknownStatuses + 1;
            return unknownStatuses === 0 ? delayMs : Math.max(delayMs, backoffMs(unknownStatuses, backoff));
        },
        failedDelayMs: (error, failures) => {
            invalidResponses = error instanceof InvalidResponseError ? invalidResponses + 1 : invalidResponses;
            if (error instanceof HttpError && error.status === 404) {
                absences += 1;
                const most = error.isOfApi ? maxAbsences : maxGatewayAbsences;
                return absences < most ? Math.max(absenceCheckMs, retryDelayMs(error, failures, backoff)) : undefined;
            }
            const isHiccup = error instanceof InvalidResponseError && invalidResponses < maxInvalidResponses;
            return isTransient(error) || isHiccup ? retryDelayMs(error, failures, backoff) : undefined;
        },
        onValue: options.onProgress,
        onFailure: (error) => options.onRetry?.(error as StaticExportError),
    });

    if (!outcome.done) {
        const lastStatus = outcome.last === undefined ? undefined : api.clean(kind.statusOf(outcome.last));
        throw new PollTimeoutError(context, lastStatus, clock.now() - startedMs, outcome.lastError);
    }
    if (isFailureThrown && kind.statusOf(outcome.value) === kind.failed) {
        throw new JobFailedError(context, kind.reasonOf(outcome.value));
    }
    return outcome.value;
}
