import { isExpectedCommit } from "@pulumi-static-export/contract";
import { type PlatformUpdate, type StartedDocumentationPreview } from "@pulumi-static-export/sdk";
import { createClient } from "../command-line/admin-client.js";
import { failedExitCode } from "../export/exit-codes.js";
import { type JobOptions } from "../export/job-options.js";
import { createProgressDisplay } from "../export/progress-display.js";
import { type JobRun, runJobCommand, startFor } from "../export/run-job-command.js";

/** The options of `update`, parsed. */
export interface UpdateOptions extends JobOptions {
    wait?: boolean;
    commit?: string;
    status?: string;
    preview?: string;
    timeoutSeconds: number;
}

type Started = Pick<StartedDocumentationPreview, "statusId" | "previewUrl">;

/** Starts an update or a preview, or resumes one, and waits for it if requested. Returns the exit code. */
export async function runUpdate(project: string, options: UpdateOptions): Promise<number> {
    const use = async (run: JobRun): Promise<number> => {
        const { wait = false, commit, status, preview } = options;
        const { statusId, previewUrl } =
            status === undefined ? await start(project, preview, run) : { statusId: status };
        const address = previewUrl === undefined ? {} : { previewUrl };
        if (!wait && commit === undefined && status === undefined) {
            print({ statusId, status: "started", ...address }, options.json);
            return 0;
        }
        run.onUnfinished(() => `Wait for the update with: static-export update ${project} --status ${statusId}`);
        const update = await follow(project, statusId, run, options);
        print({ ...update, ...address }, options.json);
        if (commit === undefined || isExpectedCommit(update.commit?.sha, commit)) {
            return 0;
        }
        console.error(`error: Documentation update ${statusId} of project ${project} ${describeOther(update, commit)}`);
        return failedExitCode;
    };
    return runJobCommand(createClient(options, process.env), use, options.timeoutSeconds);
}

async function start(project: string, branch: string | undefined, run: JobRun): Promise<Started> {
    const { documentationUpdates } = run.client;
    return startFor(run, "an update", (options): Promise<Started> =>
        branch === undefined
            ? documentationUpdates.start(project, options)
            : documentationUpdates.startPreview(project, { branch }, options),
    );
}

async function follow(
    projectId: string,
    statusId: string,
    { client, signal, deadlineMs }: JobRun,
    { timeoutSeconds }: UpdateOptions,
): Promise<PlatformUpdate> {
    const display = createProgressDisplay(process.stderr, process.env);
    try {
        return await client.documentationUpdates.pollUntilDone(statusId, {
            projectId,
            timeoutMs: timeoutSeconds * 1000,
            deadlineMs,
            signal,
            onProgress: (update) => display.show(statusId, update),
            onRetry: ({ summary }) => display.note(`${statusId}: ${summary}; retrying`),
        });
    } finally {
        display.end();
    }
}

/** A success without a commit may have published nothing, as after a build that skipped itself. */
function describeOther({ commit, summary }: PlatformUpdate, expected: string): string {
    return commit?.sha === undefined
        ? `reports no commit, so not ${expected}${summary === undefined ? "." : `: ${summary}`}`
        : `published commit ${commit.sha}, not ${expected}. Push that commit to the configured branch, then start a ` +
              "new update.";
}

type Shown = PlatformUpdate & Pick<StartedDocumentationPreview, "previewUrl">;

/** Prints a table, or JSON for programs. */
function print(update: Shown, isJson: boolean | undefined): void {
    console.log(isJson ? JSON.stringify(update, null, 2) : describe(update));
}

function describe({ statusId, status, previewUrl, summary, commit, endedAt, logs = [] }: Shown): string {
    const files = commit?.filesChanged;
    const lines: [string, string | undefined][] = [
        ["update", statusId],
        ["status", status],
        ["preview", previewUrl],
        ["summary", summary],
        ["commit", commit?.sha],
        ["branch", commit?.ref],
        ["message", commit?.message],
        ["files", files && `${files.added} added, ${files.modified} modified, ${files.removed} removed`],
        ["ended", endedAt],
    ];
    const table = lines.filter(([, value]) => value !== undefined).map(([name, value]) => `${name.padEnd(10)}${value}`);
    return [...table, ...logs.map((line) => `log: ${line}`)].join("\n");
}
