import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { type PlatformAgentJob, StaticExportError, type StartOptions } from "@pulumi-static-export/sdk";
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { createClient, type ClientOptions } from "../command-line/admin-client.js";
import { formatTable } from "../command-line/table.js";
import { requestExitCode } from "../export/exit-codes.js";
import { type JobRun, runJobCommand, startFor } from "../export/run-job-command.js";
import { UsageError } from "../command-line/usage-error.js";

/** The options of the `agent-job` commands, parsed. */
export interface AgentJobOptions extends ClientOptions {
    project: string;
    json?: boolean;
    prompt?: string;
    promptFile?: string;
    wait?: boolean;
    timeoutSeconds: number;
}

const exitCodes: Readonly<Record<string, number>> = { completed: 0, failed: 1, archived: 4 };
const shownLines = 5;

export async function createJob(options: AgentJobOptions): Promise<number> {
    const prompt = await readPrompt(options);
    return withClient(options, async (run) => {
        const { agentJobs } = run.client;
        const job = await startFor(run, "a job", (limits) => agentJobs.create(options.project, { prompt }, limits));
        return options.wait ? { job: await follow(run, job.id, options), isEnd: true } : { job };
    });
}

export async function sendMessage(id: string, options: AgentJobOptions): Promise<number> {
    const prompt = await readPrompt(options);
    return withClient(options, async (run) => {
        const { agentJobs } = run.client;
        const send = (limits: StartOptions) => agentJobs.sendMessage(options.project, id, { prompt }, limits);
        const job = await startFor(run, "a job", send);
        return options.wait ? { job: await follow(run, id, options, true), isEnd: true } : { job };
    });
}

export async function showJob(id: string, options: AgentJobOptions): Promise<number> {
    return withClient(options, async ({ client, signal }) => ({
        job: await client.agentJobs.get(options.project, id, { signal }),
    }));
}

export async function waitForJob(id: string, options: AgentJobOptions): Promise<number> {
    return withClient(options, async (run) => ({ job: await follow(run, id, options), isEnd: true }));
}

export async function archiveJob(id: string, options: AgentJobOptions): Promise<number> {
    return withClient(options, async ({ client, signal }) => ({
        job: await client.agentJobs.archive(options.project, id, { signal }),
    }));
}

/** Lists jobs of one project, or of all projects of the key. */
export async function listJobs(
    options: Partial<AgentJobOptions> & { limit: number; status?: string },
): Promise<number> {
    const { project, status, limit, json: isJson } = options;
    return runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
        const jobs = await client.agentJobs.list({ project, status, limit }, { signal });
        const rows = jobs.map((job) => [
            job.id,
            job.status,
            job.createdAt,
            job.projectId,
            job.prLink ?? "-",
            job.prompt,
        ]);
        console.log(
            isJson
                ? JSON.stringify(jobs, null, 2)
                : formatTable([["JOB", "STATUS", "CREATED", "PROJECT", "PULL REQUEST", "PROMPT"], ...rows]),
        );
        return 0;
    });
}

/** Prints the log of a job's agent. */
export async function showLog(id: string, options: AgentJobOptions): Promise<number> {
    return runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
        for (let from = 0; ;) {
            const { lines, next, isStored } = await client.agentJobs.log(options.project, id, from, { signal });
            if (from === 0 && lines.length === 0 && !isStored) {
                console.error(
                    `The log of agent job ${id} is not available: its agent has not begun, or the log is still in its ` +
                        "worker's data folder (agent/logs), or it was removed.",
                );
                return 1;
            }
            lines.forEach((line) => console.log(line));
            if (next <= from) {
                return 0;
            }
            from = next;
        }
    });
}

/** The last lines of a failed job's log, which say why. Other platforms have none. */
async function printReason(
    { client, signal }: JobRun,
    project: string,
    { id, status }: PlatformAgentJob,
): Promise<void> {
    if (status !== "failed") {
        return;
    }
    try {
        const { lines } = await client.agentJobs.log(project, id, 0, { signal });
        lines.slice(-shownLines).forEach((line) => console.error(`${id}: ${line}`));
        console.error(`See all of it with: static-export agent-job log --project ${project} ${id}`);
    } catch (error) {
        if (!(error instanceof StaticExportError)) {
            throw error;
        }
    }
}

async function follow(
    { client, signal, deadlineMs }: JobRun,
    id: string,
    { project, timeoutSeconds }: AgentJobOptions,
    afterMessage = false,
): Promise<PlatformAgentJob> {
    const startedMs = Date.now();
    let shown = "";
    return client.agentJobs.pollUntilDone(project, id, {
        timeoutMs: timeoutSeconds * 1000,
        deadlineMs,
        signal,
        afterMessage,
        onProgress: ({ status }) => {
            if (status !== shown) {
                shown = status;
                console.error(`${id}: ${status} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
            }
        },
        onRetry: (error) => console.error(`${id}: ${error.summary}; retrying`),
    });
}

/** Prints the job. Returns the exit code. */
async function withClient(
    options: AgentJobOptions,
    use: (run: JobRun) => Promise<{ job: PlatformAgentJob; isEnd?: boolean }>,
): Promise<number> {
    const print = async (run: JobRun): Promise<number> => {
        const { job, isEnd = false } = await use(run);
        if (isEnd) {
            await printReason(run, options.project, job);
        }
        console.log(options.json ? JSON.stringify(job, null, 2) : describe(job));
        return isEnd ? (exitCodes[job.status] ?? requestExitCode) : 0;
    };
    return runJobCommand(createClient(options, process.env), print, options.timeoutSeconds);
}

function describe({ id, status, source, model, prLink, createdAt, archivedAt }: PlatformAgentJob): string {
    const lines: [string, string | null][] = [
        ["job", id],
        ["status", status],
        ["pull request", prLink],
        ["repository", source.repository],
        ["ref", source.ref],
        ["model", model],
        ["created", createdAt],
        ["archived", archivedAt],
    ];
    return lines.map(([name, value]) => `${name.padEnd(14)}${value ?? "none"}`).join("\n");
}

/** @throws UsageError */
async function readPrompt({ prompt, promptFile }: AgentJobOptions): Promise<string> {
    if ((prompt === undefined) === (promptFile === undefined)) {
        throw new UsageError("Pass the prompt with --prompt or --prompt-file.");
    }
    const text = prompt ?? (await readPromptFile(promptFile ?? "-"));
    if (text === "") {
        throw new UsageError("The prompt is empty.");
    }
    return text;
}

/** Standard input may be a pipe that does not block, where a synchronous read fails until there is data. */
async function readPromptFile(path: string): Promise<string> {
    try {
        return path === "-" ? await readText(process.stdin) : decodeText(await readFile(path));
    } catch (error) {
        throw new UsageError(`The prompt cannot be read: ${(error as Error).message}`);
    }
}
