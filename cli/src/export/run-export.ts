import { shellWord } from "@pulumi-static-export/contract";
import { HttpError, JobFailedError, type StartOptions, type PlatformExportJob } from "@pulumi-static-export/sdk";
import { createClient } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { printJob } from "./describe-job.js";
import { type JobOptions } from "./job-options.js";
import { createProgressDisplay, type ProgressDisplay } from "./progress-display.js";
import { type JobRun, runJobCommand, startFor } from "./run-job-command.js";
import { assertSavable, type SavedBundle, saveBundleUntil, type SaveOptions } from "./save-bundle.js";

/** The options of `export`, parsed. */
export interface ExportOptions extends JobOptions, SaveOptions {
    domain?: string;
    version?: string;
    path?: string[];
    job?: string;
    timeoutSeconds: number;
}

/** Starts or resumes an export, waits for it and unpacks its bundle. Returns the exit code. @throws UsageError */
export async function runExport(options: ExportOptions): Promise<number> {
    assertStartable(options);
    assertSavable(options);
    return runJobCommand(
        createClient(options, process.env),
        (run) => followExport(run, options, (jobId) => describeGoingOn(jobId, options)),
        options.timeoutSeconds,
    );
}

/**
 * Runs an export with an existing client. Downloads nothing without `output`.
 *
 * @param advise - receives advice on how to continue if the command ends before the job
 */
async function followExport(
    run: JobRun,
    options: Omit<ExportOptions, "output"> & Partial<SaveOptions>,
    advise: (jobId: string) => string | undefined,
): Promise<number> {
    const display = createProgressDisplay(process.stderr, process.env);
    const jobId = options.job ?? (await start(options, run, display));
    run.onUnfinished(() => advise(jobId));
    let last: PlatformExportJob | undefined;
    try {
        const job = await run.client.staticExports.pollUntilDone(jobId, {
            domain: options.domain,
            timeoutMs: options.timeoutSeconds * 1000,
            deadlineMs: run.deadlineMs,
            signal: run.signal,
            onProgress: (seen) => {
                last = seen;
                display.show(jobId, seen);
            },
            onRetry: ({ summary }) => display.note(`${jobId}: ${summary}; retrying`),
        });
        const bundle = await save(run, jobId, options, display);
        display.end();
        printJob(job, options.json, bundle);
        return 0;
    } catch (error) {
        display.end();
        const isGone = error instanceof HttpError && error.status === 404;
        if (error instanceof JobFailedError || isGone) {
            // Resuming this job would not help.
            run.onUnfinished(() => undefined);
            if (last !== undefined) {
                printJob(last, options.json);
            }
        }
        throw error;
    }
}

async function save(
    { client, signal, deadlineMs }: JobRun,
    jobId: string,
    { output, sha256 }: Partial<SaveOptions>,
    display: ProgressDisplay,
): Promise<SavedBundle | undefined> {
    if (output === undefined) {
        return undefined;
    }
    display.note(`${jobId}: downloading the bundle`);
    return saveBundleUntil(deadlineMs, client, jobId, { output, sha256 }, signal);
}

async function start(
    { domain, version, path }: Pick<ExportOptions, "domain" | "version" | "path">,
    run: JobRun,
    display: ProgressDisplay,
): Promise<string> {
    const { staticExports } = run.client;
    const wanted = { domain: domain!, version, paths: path };
    const begin = (options: StartOptions) => staticExports.start(wanted, options);
    const { jobId } = await startFor(run, "a job", begin, (line) => display.note(line));
    display.note(`${jobId}: started`);
    return jobId;
}

function assertStartable({ domain, version, path, job }: ExportOptions): void {
    if ((domain === undefined) === (job === undefined)) {
        throw new UsageError("Pass --domain to start an export, or --job to resume one.");
    }
    if (job !== undefined && (version !== undefined || path !== undefined)) {
        throw new UsageError("--version and --path apply only to a new export: omit them with --job.");
    }
}

function describeGoingOn(jobId: string, { output, baseUrl, adminKeyFile, sha256 }: ExportOptions): string {
    const options: [string, string | undefined][] = [
        ["--job", jobId],
        ["--output", output],
        ["--sha256", sha256],
        ["--base-url", baseUrl],
        ["--admin-key-file", adminKeyFile],
    ];
    const words = options.flatMap(([name, value]) => (value === undefined ? [] : [name, shellWord(value)]));
    return `Resume with: static-export export ${words.join(" ")}`;
}
