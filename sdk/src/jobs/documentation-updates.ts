import { beginningOf } from "@pulumi-static-export/contract";
import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import type { CallOptions, Replayable, StartOptions, WaitOptions } from "../http/call-options.js";
import { pathSegment } from "../http/settings.js";
import { type JobKind, waitForJob } from "../polling/wait-for-job.js";
import {
    decodeDocumentationUpdate,
    decodeStartedPreview,
    decodeStartedUpdate,
    type PlatformUpdate,
    knownDocumentationUpdateStatuses,
    type StartedDocumentationPreview,
    type StartedDocumentationUpdate,
    terminalDocumentationUpdateStatuses,
} from "./documentation-update.js";

/** Options of calls about one update. */
export interface UpdateCallOptions extends CallOptions {
    /** Shown in messages, not sent. */
    projectId?: string | undefined;
}

/** How many of the last log lines a failure shows, and the maximum length of each line. */
const shown = { logLines: 5, lineLength: 200 };

const updateKind: JobKind<PlatformUpdate> = {
    statusOf: (update) => update.status,
    progressOf: () => undefined,
    reasonOf,
    terminal: terminalDocumentationUpdateStatuses,
    known: knownDocumentationUpdateStatuses,
    failed: "failure",
};

/** The documentation updates of the admin API (docs/reference/admin-api.md, "Documentation updates (`/v1`)"). */
export class DocumentationUpdates extends ApiCalls {
    /**
     * Starts exactly one update: the platform deploys the newest commit of the project's branch, and later exports use
     * it. Retried like the start of an export.
     * @throws AmbiguousStartError when an update may or may not have been started
     */
    async start(projectId: string, options: StartOptions = {}): Promise<StartedDocumentationUpdate & Replayable> {
        const context = { subject: "update", projectId } as const;
        const path = `/v1/project/update/${pathSegment("projectId", projectId)}`;
        return this.api.start({ context, method: "POST", path, decode: decodeStartedUpdate }, options);
    }

    /**
     * Starts exactly one preview of a branch, which publishes nothing.
     * @throws AmbiguousStartError when a preview may or may not have been started
     */
    async startPreview(
        projectId: string,
        { branch }: { branch: string },
        options: StartOptions = {},
    ): Promise<StartedDocumentationPreview & Replayable> {
        const context = { subject: "update", projectId } as const;
        const path = `/v1/project/preview/${pathSegment("projectId", projectId)}`;
        return this.api.start(
            { context, method: "POST", path, body: { branch }, decode: decodeStartedPreview },
            options,
        );
    }

    /** Gets the current status of an update or a preview. Retried. */
    async get(statusId: string, options: UpdateCallOptions = {}): Promise<PlatformUpdate> {
        return this.api.repeat(statusCall(statusId, options.projectId), options);
    }

    /**
     * Polls until the update or the preview has succeeded. Transient errors are retried until the deadline; a response
     * such as 401, 403 or 404 ends the wait.
     * @throws JobFailedError when it failed, with the platform's summary and its last log lines
     * @throws PollTimeoutError at the deadline; the update continues
     */
    async pollUntilDone(
        statusId: string,
        options: WaitOptions<PlatformUpdate> & { projectId?: string | undefined } = {},
    ): Promise<PlatformUpdate> {
        return waitForJob(this.api, statusCall(statusId, options.projectId), updateKind, options);
    }
}

function statusCall(statusId: string, projectId: string | undefined): ApiCall<PlatformUpdate> {
    return {
        context: { subject: "update", projectId, jobId: statusId },
        method: "GET",
        path: `/v1/project/update-status/${pathSegment("statusId", statusId)}`,
        decode: (answer, clean) => decodeDocumentationUpdate(answer, clean, statusId),
    };
}

/** Returns the summary and the last log lines, or only the log lines without a summary. */
function reasonOf({ summary, logs = [] }: PlatformUpdate): string | undefined {
    const lines = logs
        .slice(-shown.logLines)
        .map((line) => (line.length > shown.lineLength ? `${beginningOf(line, shown.lineLength)}…` : line));
    const log = lines.length === 0 ? undefined : `last log lines: ${lines.join(" | ")}`;
    const parts = [summary, log].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join("; ");
}
