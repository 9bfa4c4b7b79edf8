import type { dynamic } from "@pulumi/pulumi";
import { JobFailedError, terminalAgentJobStatuses } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import { outputNames } from "../engine/resource-outputs.js";
import { digestAssets } from "@pulumi-static-export/contract";
import { jobWordsOf, type JobWords } from "../jobs/explain-failure.js";
import { isGone } from "../jobs/job-errors.js";
import { JobLifecycle } from "../jobs/job-lifecycle.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { forgetSavedJobs } from "../jobs/saved-jobs.js";
import { AgentJobOperation, messageId } from "./agent-job-operation.js";
import { agentJobInputs } from "./check.js";
import {
    type AgentJobInputs,
    agentJobOutputs,
    type AgentJobOutputs,
    type AgentJobState,
    changeOf,
    currentJobOf,
    outputsOf,
} from "./model.js";

const jobWords = jobWordsOf({ resource: "AgentJob", jobId: "aj_…", startAgain: "create a new one" });
const messageWords: JobWords = {
    ...jobWords,
    unanswered:
        "The job's branch shows whether the message arrived. The next `pulumi up` sends the message again, with the " +
        "same Idempotency-Key if the platform honours it.",
    lost: "The next `pulumi up` sends the message again.",
};

/** The lifecycle of an `AgentJob`, called through its serialised provider. */
export class AgentJobLifecycle extends JobLifecycle<AgentJobInputs, AgentJobState, AgentJobOperation> {
    readonly inputs = agentJobInputs;
    protected readonly Operation = AgentJobOperation;
    protected readonly outputs = outputNames(agentJobOutputs);
    protected readonly words = jobWords;
    readonly #failures: Map<string, Error>;

    /**
     * @param failures - errors of jobs that failed in this `pulumi up`, by job and inputs. An error hook may make the
     * engine call create or update up to a hundred times, but only the first call may start a job or send a message.
     */
    constructor(runtime: JobRuntime, failures = new Map<string, Error>()) {
        super(runtime);
        this.#failures = failures;
    }

    /** All jobs of the resource have the same project. */
    protected idOf = ({ projectId }: AgentJobInputs) => projectId;
    protected subjectOf = ({ projectId }: AgentJobState, jobId: string) => `Agent job ${jobId} of project ${projectId}`;
    protected changeOf = changeOf;

    protected override apply(inputs: AgentJobInputs, olds?: AgentJobState): Promise<AgentJobState> {
        const failure = this.#failures.get(failureKey(inputs, olds));
        return failure === undefined ? super.apply(inputs, olds) : Promise.reject(failure);
    }

    /** Creates, adopts or resumes a job, or sends a message. */
    protected carryOut(
        operation: AgentJobOperation,
        inputs: AgentJobInputs,
        olds?: AgentJobState,
    ): Promise<AgentJobOutputs> {
        const change = olds ? changeOf(olds, inputs) : "other-job";
        if (change === "other-job" && inputs.jobId !== undefined) {
            return operation.adopt(inputs.jobId);
        }
        const currentId = olds && currentJobOf(olds);
        if (olds === undefined || currentId === undefined || change === "new-job") {
            return operation.createOrAdopt();
        }
        const afterMessage = olds.jobId === olds.pendingJobId;
        return change === "message" ? operation.sendMessage(currentId) : operation.adopt(currentId, { afterMessage });
    }

    protected override failureOf(error: unknown, inputs: AgentJobInputs, olds?: AgentJobState): Error {
        const failure = super.failureOf(error, inputs, olds);
        if (error instanceof JobFailedError) {
            this.#failures.set(failureKey(inputs, olds), failure);
        }
        return failure;
    }

    protected override failedOperation(inputs: AgentJobInputs, olds: AgentJobState | undefined, error: unknown) {
        const failed = super.failedOperation(inputs, olds, error);
        if (olds === undefined || changeOf(olds, inputs) !== "message") {
            return failed;
        }
        return {
            ...failed,
            words: olds.pendingJobId === undefined && !isGone(error) ? messageWords : jobWords,
            // Records for the next update that the job may still show its earlier status.
            statePending: { ...failed.statePending, jobId: currentJobOf(olds) },
            // The job is gone, so the next update cannot send the message either.
            resumedJobId: olds.pendingJobId ?? (isGone(error) ? olds.jobId : undefined),
        };
    }

    /** Keeps the resource if the platform has removed a finished job: the next update would run the job again. */
    override async read(id: string, props: AgentJobState): Promise<dynamic.ReadResult<AgentJobState>> {
        const read = await super.read(id, props);
        const isFinished = props.pendingJobId === undefined && terminalAgentJobStatuses.has(props.status ?? "active");
        return read.id === "" && isFinished ? { id, props } : read;
    }

    protected async refresh(props: AgentJobState, jobId: string): Promise<AgentJobState> {
        const job = await this.client.agentJobs.get(props.projectId, jobId, { signal: this.runtime.signal });
        if (props.pendingJobId !== undefined) {
            return props;
        }
        const earlier = Object.fromEntries(this.outputs.map((name) => [name, undefined]));
        return definedOnly({ ...props, ...earlier, ...outputsOf(job) }) as AgentJobState;
    }

    protected override forget({ jobId, pendingJobId, prompt }: AgentJobState): Promise<void> {
        const known = [jobId, pendingJobId].filter((id) => id !== undefined);
        return forgetSavedJobs(
            this.runtime,
            known.flatMap((id) => [id, messageId(id, prompt)]),
        );
    }
}

/** The job of an earlier change and the inputs: what a repeated call has in common with a failed one. */
function failureKey({ projectId, prompt, triggers, jobId }: AgentJobInputs, olds: AgentJobState | undefined): string {
    return JSON.stringify([olds && currentJobOf(olds), projectId, prompt, digestAssets(triggers), jobId]);
}
