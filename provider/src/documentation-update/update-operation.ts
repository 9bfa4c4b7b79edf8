import { isExpectedCommit } from "@pulumi-static-export/contract";
import { type PlatformUpdate, JobFailedError } from "@pulumi-static-export/sdk";
import { withoutFullStop } from "../engine/job-log.js";
import type { JobEntry } from "../engine/journal/entries.js";
import { JobOperation } from "../jobs/job-operation.js";
import { type JobStatus, type JobTask, replayFreshForMs } from "../jobs/job-task.js";
import { isLost } from "../jobs/job-errors.js";
import { finishJob, startOrAdopt } from "../jobs/start-or-adopt.js";
import type { StartIntent } from "../start-keys/start-key.js";
import { outputsOf, type UpdateInputs, updateOf, type UpdateOutputs, type UpdateState } from "./model.js";

/**
 * How long a successful update may be adopted for the same inputs. After this time, the platform may have published
 * other updates.
 */
const freshForMs = 3600 * 1000;

/** One operation of a documentation update: starts, adopts or resumes an update. */
export class UpdateOperation extends JobOperation<UpdateInputs, UpdateState> {
    protected readonly subject = this.inputs.projectId;

    /** Starts one update, or adopts the update that another run started for the same inputs. */
    async startOrAdopt(): Promise<UpdateOutputs> {
        await this.#waitForOlder();
        const { jobId, entry } = await startOrAdopt(this.runtime, {
            task: this.#task(),
            send: async (options) => {
                const { statusId, ...replay } = await this.client.documentationUpdates.start(
                    this.inputs.projectId,
                    options,
                );
                return { jobId: statusId, ...replay };
            },
            onStarted: (statusId) => this.log(statusId).say("documentation update started"),
        });
        return this.adopt(jobId, entry);
    }

    /** Waits for a known update. @throws JobFailedError also if it published a commit other than the expected one */
    async adopt(statusId: string, entry?: JobEntry): Promise<UpdateOutputs> {
        const log = this.log(statusId);
        return finishJob(this.runtime, { jobId: statusId, entry, isNamed: false }, async () => {
            const update = await this.#wait(statusId, (seen) => log.progress(seen));
            const problem = this.#findOtherCommit(update);
            if (problem !== undefined) {
                throw this.#failure(statusId, problem);
            }
            log.say(describeEnd(update));
            return outputsOf(update);
        });
    }

    /** An update that is still in progress for earlier inputs would publish an older commit after this one. */
    async #waitForOlder(): Promise<void> {
        const older = this.olds?.pendingJobId;
        if (older === undefined || this.inputs.expectedCommit === undefined) {
            return;
        }
        this.log(older).say("waiting for this earlier update first");
        try {
            await this.#wait(older, () => undefined);
        } catch (error) {
            if (!isLost(error)) {
                throw error;
            }
        }
    }

    #wait(statusId: string, onProgress: (update: PlatformUpdate) => void): Promise<PlatformUpdate> {
        return this.runtime.engine.whileAlive(() =>
            this.client.documentationUpdates.pollUntilDone(statusId, {
                projectId: this.inputs.projectId,
                timeoutMs: this.timeoutMs,
                deadlineMs: this.deadlineMs,
                signal: this.runtime.signal,
                onProgress,
            }),
        );
    }

    #task(): JobTask {
        const { projectId } = this.inputs;
        return {
            client: this.client,
            key: [this.client.baseUrl, "documentation-update", updateOf(this.inputs)],
            intent: this.#intent(),
            subject: projectId,
            title: `Documentation update of project ${projectId}`,
            noun: "documentation update",
            unanswered: "update may be in progress. Starting another one.",
            deadlineMs: this.deadlineMs,
            freshForMs,
            replayFreshForMs,
            acceptsFailed: false,
            acceptsFailedReplay: false,
            get: (statusId) => this.#get(statusId),
        };
    }

    /** Reads an update in the form that all jobs share. An update that published another commit counts as failed. */
    async #get(statusId: string): Promise<JobStatus> {
        const { projectId } = this.inputs;
        const update = await this.client.documentationUpdates.get(statusId, {
            projectId,
            deadlineMs: this.deadlineMs,
        });
        const { status, summary, endedAt } = update;
        if (status === "failure") {
            return { status: "failed", error: summary };
        }
        const problem = status === "success" ? this.#findOtherCommit(update) : undefined;
        if (problem !== undefined) {
            return { status: "failed", error: problem };
        }
        return { status: status === "success" ? "completed" : status, updatedAt: endedAt };
    }

    /**
     * Triggers and a commit identify the content to publish, so any run may have started the update. Without triggers
     * and a commit, only the pipeline's run identifies the update.
     */
    #intent(): StartIntent | undefined {
        const { triggers, expectedCommit } = this.inputs;
        const isAnyRun = triggers !== undefined || expectedCommit !== undefined;
        const pipelineRun = isAnyRun ? undefined : this.runtime.connect().pipelineRun;
        const identity = this.runtime.identityOf?.(this.inputs);
        return (pipelineRun === undefined && !isAnyRun) || identity === undefined
            ? undefined
            : { identity, inputs: updateOf(this.inputs), pipelineRun, after: this.olds?.statusId };
    }

    /** Returns why the published commit is not the expected one, or undefined if it is or if no commit is expected. */
    #findOtherCommit(update: PlatformUpdate): string | undefined {
        const { commit } = update;
        const { expectedCommit } = this.inputs;
        if (expectedCommit === undefined || isExpectedCommit(commit?.sha, expectedCommit)) {
            return undefined;
        }
        return commit?.sha === undefined
            ? `expectedCommit is ${expectedCommit}, but the platform reports no commit${summaryOf(update)}`
            : `the update published commit ${commit.sha}, but expectedCommit is ${expectedCommit}`;
    }

    #failure(statusId: string, problem: string): JobFailedError {
        const { projectId } = this.inputs;
        const path = `/v1/project/update-status/${statusId}`;
        const call = { operation: `GET ${path}`, url: `${this.client.baseUrl}${path}` };
        return new JobFailedError({ subject: "update", jobId: statusId, projectId, ...call }, problem);
    }
}

/** A success without a commit may have published nothing, as after a build that skipped itself. */
function describeEnd(update: PlatformUpdate): string {
    const { commit } = update;
    return commit?.sha === undefined ? `the update succeeded${summaryOf(update)}` : `commit ${commit.sha} is published`;
}

function summaryOf({ summary }: PlatformUpdate): string {
    return summary === undefined ? "" : `: ${withoutFullStop(summary)}`;
}
