import { createHash } from "node:crypto";
import { type PlatformAgentJob, type AgentWaitOptions } from "@pulumi-static-export/sdk";
import { digestAssets } from "@pulumi-static-export/contract";
import type { JobEntry } from "../engine/journal/entries.js";
import { JobOperation } from "../jobs/job-operation.js";
import { type JobTask, replayFreshForMs, unansweredStart } from "../jobs/job-task.js";
import { finishJob, startOrAdopt } from "../jobs/start-or-adopt.js";
import type { StartIntent } from "../start-keys/start-key.js";
import { type AgentJobInputs, type AgentJobOutputs, type AgentJobState, currentJobOf, outputsOf } from "./model.js";

/** One operation of an agent job: creates, adopts or resumes a job, or sends a message to an existing job. */
export class AgentJobOperation extends JobOperation<AgentJobInputs, AgentJobState> {
    protected readonly subject = this.inputs.projectId;

    /** Creates one job, or adopts the job that another run created for the same inputs. */
    async createOrAdopt(): Promise<AgentJobOutputs> {
        const { projectId, prompt } = this.inputs;
        const triggers = digestAssets(this.inputs.triggers) ?? null;
        const task = {
            ...this.#task(["agent-job", projectId, digest(prompt), triggers], "agent job"),
            intent: this.#intent({ inputs: ["job", projectId, prompt, triggers], pipelineRun: undefined }),
        };
        const { jobId, entry } = await startOrAdopt(this.runtime, {
            task,
            send: async (options) => {
                const { id, ...replay } = await this.client.agentJobs.create(projectId, { prompt }, options);
                return { jobId: id, ...replay };
            },
            onStarted: (id) => this.log(id).say("agent job created"),
        });
        return this.adopt(jobId, { entry });
    }

    /** Sends the prompt to a job as one message, or waits for the result of a message that another run sent. */
    async sendMessage(id: string): Promise<AgentJobOutputs> {
        const { projectId, prompt } = this.inputs;
        const { status } = await this.client.agentJobs.get(projectId, id, { deadlineMs: this.deadlineMs });
        if (status === "archived") {
            throw new Error(
                `Agent job ${id} of project ${projectId} is archived and accepts no messages. ` +
                    "To run the prompt in a new job, change triggers.",
            );
        }
        const task = {
            ...this.#task(["agent-message", projectId, id, digest(prompt)], "answer to the message"),
            intent: this.#messageIntent(id),
            unanswered: "message may have arrived. Sending it again.",
            // The key of a message contains the pipeline's run, so its result is of this run.
            replayFreshForMs: Infinity,
            // `wait` decides whether the status already belongs to this message; no message is sent to a failed job.
            acceptsFailed: true,
            get: () => this.client.agentJobs.get(projectId, id, { deadlineMs: this.deadlineMs }),
        };
        const { entry } = await startOrAdopt(this.runtime, {
            task,
            send: async (options) => {
                // The results of earlier messages are outdated: a later run must not adopt them.
                await this.runtime.journal.forgetOutdated((known) => known.startsWith(`${id}~`));
                const sent = await this.client.agentJobs.sendMessage(projectId, id, { prompt }, options);
                return { ...sent, jobId: messageId(id, prompt) };
            },
            onStarted: () => this.log(id).say("message sent"),
        });
        return this.adopt(id, { entry, afterMessage: true });
    }

    /** Waits for a known job. */
    async adopt(
        jobId: string,
        { entry, afterMessage = false }: { entry?: JobEntry; afterMessage?: boolean } = {},
    ): Promise<AgentJobOutputs> {
        const { projectId, failOnFailedJob = true } = this.inputs;
        const log = this.log(jobId);
        const options: AgentWaitOptions = {
            timeoutMs: this.timeoutMs,
            deadlineMs: this.deadlineMs,
            signal: this.runtime.signal,
            rejectFailed: failOnFailedJob,
            afterMessage,
            onProgress: (job) => log.progress(job),
        };
        // The program sets the id of the job, but not the id of the message.
        const isNamed = jobId === this.inputs.jobId && !afterMessage;
        return finishJob(this.runtime, { jobId, entry, isNamed }, async () => {
            if (this.inputs.startOnly) {
                const { deadlineMs, signal } = options;
                return outputsOf(await this.client.agentJobs.get(projectId, jobId, { deadlineMs, signal }));
            }
            const job = await this.runtime.engine.whileAlive(() =>
                this.client.agentJobs.pollUntilDone(projectId, jobId, options),
            );
            log.say(describeEnd(job));
            return outputsOf(job);
        });
    }

    #task(key: readonly unknown[], noun: string): JobTask {
        const { projectId, failOnFailedJob = true } = this.inputs;
        return {
            client: this.client,
            key: [this.client.baseUrl, ...key],
            intent: undefined,
            subject: projectId,
            title: `Agent job of project ${projectId}`,
            noun,
            unanswered: unansweredStart(noun),
            deadlineMs: this.deadlineMs,
            // The result of a prompt never becomes outdated.
            freshForMs: Infinity,
            replayFreshForMs,
            acceptsFailed: !failOnFailedJob,
            acceptsFailedReplay: !failOnFailedJob,
            get: async (jobId) => {
                const { status, createdAt, archivedAt } = await this.client.agentJobs.get(projectId, jobId, {
                    deadlineMs: this.deadlineMs,
                });
                // The platform does not say when a job ended.
                return { status, updatedAt: archivedAt ?? createdAt };
            },
        };
    }

    #intent({ inputs, pipelineRun }: Pick<StartIntent, "inputs" | "pipelineRun">): StartIntent | undefined {
        const identity = this.runtime.identityOf?.(this.inputs);
        const after = this.olds && [currentJobOf(this.olds), digest(this.olds.prompt)].join(" ");
        return identity && { identity, inputs, pipelineRun, after };
    }

    /**
     * A program may return to an earlier prompt, so outside of pipelines a message never counts as a repetition of an
     * earlier one.
     */
    #messageIntent(id: string): StartIntent | undefined {
        const { projectId, prompt } = this.inputs;
        const { pipelineRun } = this.runtime.connect();
        return pipelineRun === undefined
            ? undefined
            : this.#intent({ inputs: ["message", projectId, id, prompt], pipelineRun });
    }
}

/** Returns the id of a message in the journal: one job may get many messages. */
export function messageId(jobId: string, prompt: string): string {
    return `${jobId}~${digest(prompt).slice(0, 12)}`;
}

/** A prompt may be secret, so file names in the journal contain only its digest. */
function digest(prompt: string): string {
    return createHash("sha256").update(prompt).digest("hex");
}

function describeEnd({ status, prLink }: PlatformAgentJob): string {
    const result = prLink ?? (status === "completed" ? "nothing changed, or no pull request opened" : undefined);
    return result === undefined ? `${status}` : `${status}: ${result}`;
}
