import type { dynamic } from "@pulumi/pulumi";
import { JobFailedError, terminalAgentJobStatuses } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import { checkResource } from "../engine/resource-inputs.js";
import { digestAssets } from "../engine/same-value.js";
import { failureOf, type FailedRun, readJob } from "../jobs/job-state.js";
import { isGone } from "../jobs/job-errors.js";
import { jobWordsOf } from "../jobs/explain-failure.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { forgetSavedJobs } from "../jobs/saved-jobs.js";
import { AgentJobRun, messageId } from "./agent-job-run.js";
import { agentJobInputs } from "./check.js";
import {
    type AgentJobInputs,
    type AgentJobOutputs,
    type AgentJobState,
    changeOf,
    currentJobOf,
    outputsOf,
} from "./model.js";

const jobWords = jobWordsOf({ resource: "AgentJob", jobId: "aj_…", startAgain: "create a new one" });
const messageWords = {
    ...jobWords,
    unanswered:
        "The job's branch shows whether the message arrived. The next `pulumi up` sends the message again, with the " +
        "same Idempotency-Key if the platform honours it.",
    lost: "The next `pulumi up` sends the message again.",
};

/** The lifecycle of an `AgentJob`, called through its serialised provider. */
export class AgentJobLifecycle {
    readonly #runtime: JobRuntime;
    readonly #failures: Map<string, unknown>;

    /**
     * @param failures - errors of jobs that failed in this `pulumi up`, by job and inputs. An error hook may make the
     * engine call create or update up to a hundred times, but only the first call may start a job or send a message.
     */
    constructor(runtime: JobRuntime, failures = new Map<string, unknown>()) {
        this.#runtime = runtime;
        this.#failures = failures;
    }

    check(_olds: AgentJobInputs, news: AgentJobInputs): Promise<dynamic.CheckResult<AgentJobInputs>> {
        return Promise.resolve(checkResource(agentJobInputs, { ...news }));
    }

    diff(_id: string, olds: AgentJobState, news: AgentJobInputs): Promise<dynamic.DiffResult> {
        this.#runtime.savedJobs.add(olds.jobId);
        return Promise.resolve(
            olds.projectId === news.projectId
                ? { changes: changeOf(olds, news) !== undefined }
                : { changes: true, replaces: ["projectId"] },
        );
    }

    /**
     * Runs one job, or adopts the job that the program names. A job that was created and has not ended yet is saved in
     * the state, and the next update waits for it.
     */
    async create(inputs: AgentJobInputs): Promise<dynamic.CreateResult<AgentJobState>> {
        // All jobs of the resource have the same project.
        const id = inputs.projectId;
        const work = (run: AgentJobRun) => (inputs.jobId === undefined ? run.createOrAdopt() : run.adopt(inputs.jobId));
        return { id, outs: await this.#carryOut(id, inputs, undefined, work) };
    }

    /**
     * Refreshes the outputs. Keeps the resource if the platform has removed a finished job: otherwise the next update
     * would run the job again.
     */
    async read(id: string, props: AgentJobState): Promise<dynamic.ReadResult<AgentJobState>> {
        const { projectId, pendingJobId, status = "active" } = props;
        const isKept = pendingJobId === undefined && terminalAgentJobStatuses.has(status);
        const subjectOf = (jobId: string) => `Agent job ${jobId} of project ${projectId}`;
        return readJob(this.#runtime, { id, props, subjectOf, isKept }, async (jobId) => {
            const job = await this.#runtime
                .connect()
                .client.agentJobs.get(projectId, jobId, { signal: this.#runtime.signal });
            return pendingJobId === undefined ? stateOf(props, outputsOf(job)) : props;
        });
    }

    /** Creates, adopts or resumes a job, or sends a message, depending on the diff. */
    async update(id: string, olds: AgentJobState, news: AgentJobInputs): Promise<dynamic.UpdateResult<AgentJobState>> {
        return { outs: await this.#carryOut(id, news, olds, (run) => this.#change(run, olds, news)) };
    }

    /**
     * Only removes the job from the state: the agent's work and the pull request remain. Needs no key and makes no
     * request.
     */
    delete(_id: string, props: AgentJobState): Promise<void> {
        return this.#forget(props);
    }

    async #carryOut(
        id: string,
        inputs: AgentJobInputs,
        olds: AgentJobState | undefined,
        work: (run: AgentJobRun) => Promise<AgentJobOutputs>,
    ): Promise<AgentJobState> {
        const { projectId, prompt, triggers, jobId } = inputs;
        const key = JSON.stringify([olds && currentJobOf(olds), projectId, prompt, digestAssets(triggers), jobId]);
        if (this.#failures.has(key)) {
            throw this.#failures.get(key);
        }
        const run = new AgentJobRun(this.#runtime, inputs, olds);
        if (olds) {
            await this.#forget(olds);
        }
        try {
            return stateOf(inputs, await work(run));
        } catch (error) {
            const failure = failureOf(error, this.#failedRun(id, inputs, olds, error));
            if (error instanceof JobFailedError) {
                this.#failures.set(key, failure);
            }
            throw failure;
        }
    }

    #failedRun(id: string, inputs: AgentJobInputs, olds: AgentJobState | undefined, error: unknown): FailedRun {
        const isMessage = olds !== undefined && changeOf(olds, inputs) === "message";
        return {
            id,
            namedJobId: inputs.jobId,
            words: isMessage && olds.pendingJobId === undefined && !isGone(error) ? messageWords : jobWords,
            keySource: () => this.#runtime.connect().keySource,
            statePending: () => ({
                ...shownBy(olds ?? {}),
                // Records for the next update that the job may still show its earlier status.
                ...(isMessage ? { jobId: currentJobOf(olds) } : {}),
                ...definedOnly(inputs),
            }),
            ...(olds && {
                // The job is gone, so the next update cannot send the message either.
                resumedJobId: olds.pendingJobId ?? (isMessage && isGone(error) ? olds.jobId : undefined),
                stateLost: () => withoutJob(olds),
            }),
        };
    }

    #forget({ jobId, pendingJobId, prompt }: AgentJobState): Promise<void> {
        const known = [jobId, pendingJobId].filter((id) => id !== undefined);
        return forgetSavedJobs(
            this.#runtime,
            known.flatMap((id) => [id, messageId(id, prompt)]),
        );
    }

    #change(run: AgentJobRun, olds: AgentJobState, news: AgentJobInputs): Promise<AgentJobOutputs> {
        const currentId = currentJobOf(olds);
        const change = changeOf(olds, news);
        if (change === "other-job" && news.jobId !== undefined) {
            return run.adopt(news.jobId);
        }
        if (change === "new-job" || currentId === undefined) {
            return run.createOrAdopt();
        }
        const afterMessage = olds.jobId === olds.pendingJobId;
        return change === "message" ? run.sendMessage(currentId) : run.adopt(currentId, { afterMessage });
    }
}

/** Drops the outputs of an earlier job. */
function stateOf(inputs: AgentJobState, outputs: AgentJobOutputs): AgentJobState {
    const { status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt, pendingJobId, ...rest } = inputs;
    return { ...(definedOnly(rest) as AgentJobInputs), ...outputs };
}

/** Returns the outputs of the last job, which stay in the state until the next job has ended. */
function shownBy(olds: AgentJobOutputs): AgentJobOutputs {
    const { jobId, status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt } = olds;
    return definedOnly({ jobId, status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt });
}

/** The next update creates a new job, unless the program sets one. */
function withoutJob({ pendingJobId, jobId, ...rest }: AgentJobState): AgentJobState {
    return rest;
}
