import { createHash } from "node:crypto";
import { type AdminClient, type AgentJob, type AgentWaitOptions } from "@pulumi-static-export/sdk";
import { JobLog } from "../host/job-log.js";
import type { RunEntry } from "../host/journal/entries.js";
import { EarlierRuns, type JobTask, unansweredStart } from "../host/jobs/earlier-runs.js";
import { finishJob, startOrAdopt } from "../host/jobs/run-job.js";
import type { JobRuntime } from "../host/jobs/runtime.js";
import { type AgentJobInputs, type AgentJobOutputs, defaultTimeoutSeconds, outputsOf } from "./model.js";

/** One run of an agent job: creates or adopts a job, sends a message to one, or resumes a known one. */
export class AgentJobRun {
    readonly #runtime: JobRuntime;
    readonly #inputs: AgentJobInputs;
    readonly #client: AdminClient;
    readonly #timeoutMs: number;
    readonly #deadlineMs: number;

    /** @throws MissingSettingError before any request */
    constructor(runtime: JobRuntime, inputs: AgentJobInputs) {
        this.#runtime = runtime;
        this.#inputs = inputs;
        this.#client = runtime.connect().client;
        this.#timeoutMs = (inputs.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
        this.#deadlineMs = runtime.clock.now() + this.#timeoutMs;
    }

    /** Creates one job, or adopts the job that another run created for the same inputs. */
    async createOrAdopt(): Promise<AgentJobOutputs> {
        const { projectId, prompt, triggers } = this.#inputs;
        const task = this.#task(["agent-job", projectId, digest(prompt), triggers ?? null], "agent job");
        const { jobId, entry } = await startOrAdopt(this.#runtime, {
            task,
            earlierRuns: new EarlierRuns(this.#runtime, task),
            send: async (options) => (await this.#client.agentJobs.create(projectId, { prompt }, options)).id,
            onStarted: (id) => this.#log(id).say("agent job created"),
        });
        return this.adopt(jobId, { entry });
    }

    /** Sends the prompt to a job as one message, or waits for the result of a message that another run sent. */
    async sendMessage(id: string): Promise<AgentJobOutputs> {
        const { projectId, prompt } = this.#inputs;
        const { status } = await this.#client.agentJobs.get(projectId, id, { deadlineMs: this.#deadlineMs });
        if (status === "archived") {
            throw new Error(
                `Agent job ${id} of project ${projectId} is archived and accepts no messages. ` +
                    "To run the prompt in a new job, change triggers.",
            );
        }
        const task = {
            ...this.#task(["agent-message", projectId, id, digest(prompt)], "answer to the message"),
            unanswered: "message may have arrived. Sending it again.",
            // The wait decides whether the status already belongs to this message.
            acceptsFailed: true,
            look: () => this.#client.agentJobs.get(projectId, id, { deadlineMs: this.#deadlineMs }),
        };
        const { entry } = await startOrAdopt(this.#runtime, {
            task,
            earlierRuns: new EarlierRuns(this.#runtime, task),
            send: async (options) => {
                // What earlier messages led to is no longer the job's result, so a later run may not adopt it.
                await this.#runtime.journal.forgetOutdated((known) => known.startsWith(`${id}~`));
                await this.#client.agentJobs.sendMessage(projectId, id, { prompt }, options);
                return messageId(id, prompt);
            },
            onStarted: () => this.#log(id).say("message sent"),
        });
        return this.adopt(id, { entry, afterMessage: true });
    }

    /** Waits for a known job. */
    async adopt(
        jobId: string,
        { entry, afterMessage = false }: { entry?: RunEntry; afterMessage?: boolean } = {},
    ): Promise<AgentJobOutputs> {
        const { projectId, failOnFailedJob = true } = this.#inputs;
        const log = this.#log(jobId);
        const options: AgentWaitOptions = {
            timeoutMs: this.#timeoutMs,
            deadlineMs: this.#deadlineMs,
            signal: this.#runtime.signal,
            rejectFailed: failOnFailedJob,
            afterMessage,
            onProgress: (job) => log.progress(job),
        };
        // The program names the job, and not the message.
        const isNamed = jobId === this.#inputs.jobId && !afterMessage;
        return finishJob(this.#runtime, { jobId, entry, isNamed }, async () => {
            const job = await this.#runtime.engine.whileAlive(() =>
                this.#client.agentJobs.pollUntilDone(projectId, jobId, options),
            );
            log.say(describeEnd(job));
            return outputsOf(job);
        });
    }

    #task(key: readonly unknown[], noun: string): JobTask {
        const { projectId, failOnFailedJob = true } = this.#inputs;
        return {
            client: this.#client,
            key: [this.#client.baseUrl, ...key],
            subject: projectId,
            title: `Agent job of project ${projectId}`,
            noun,
            unanswered: unansweredStart(noun),
            deadlineMs: this.#deadlineMs,
            // The result of a prompt does not become outdated.
            freshForMs: Infinity,
            acceptsFailed: !failOnFailedJob,
            look: (jobId) => this.#client.agentJobs.get(projectId, jobId, { deadlineMs: this.#deadlineMs }),
        };
    }

    #log(jobId: string): JobLog {
        return new JobLog(
            this.#inputs.projectId,
            jobId,
            (line) => this.#runtime.log(line),
            () => this.#runtime.clock.now(),
        );
    }
}

/** The id of a message in the journal: a job may get many. */
export function messageId(jobId: string, prompt: string): string {
    return `${jobId}~${digest(prompt).slice(0, 12)}`;
}

/** A prompt may be secret, so file names in the journal contain only its digest. */
function digest(prompt: string): string {
    return createHash("sha256").update(prompt).digest("hex");
}

function describeEnd({ status, prLink }: AgentJob): string {
    const result = prLink ?? (status === "completed" ? "nothing changed, or no pull request opened" : undefined);
    return result === undefined ? `${status}` : `${status}: ${result}`;
}
