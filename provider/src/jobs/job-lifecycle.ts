import type { dynamic } from "@pulumi/pulumi";
import type { AdminClient } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import { diffInputs } from "../engine/resource-inputs.js";
import { ResourceLifecycle } from "../engine/resource-lifecycle.js";
import { SavedFailure } from "../engine/saved-failure.js";
import { explain, explainPending, explainRefresh, type FindKeySource, type JobWords } from "./explain-failure.js";
import { askTwice, isGone, isLost, PendingJobError } from "./job-errors.js";
import type { JobRuntime } from "./runtime.js";
import { forgetSavedJobs } from "./saved-jobs.js";

/** The inputs and outputs that name jobs. */
interface JobState {
    jobId?: string;
    /** The same for a documentation update, which a refresh does not read again. */
    statusId?: string;
    /** The job of the last change, until the job has a result: the next update resumes it. */
    pendingJobId?: string;
    __provider?: string;
}

/** The effects of a failed run on the state and its message. */
export interface FailedOperation {
    words: JobWords;
    /** The pending job that the run resumed. */
    resumedJobId: string | undefined;
    /** The state while the run's job is still in progress, without `pendingJobId`. */
    statePending: object;
    /** The state after the pending job is lost: without it, the next update starts a new job. */
    stateLost: object;
}

/** The lifecycle of a resource that runs jobs. An `Operation` starts, adopts or resumes one job. */
export abstract class JobLifecycle<
    Inputs extends Pick<JobState, "jobId" | "__provider">,
    State extends JobState,
    Operation,
> extends ResourceLifecycle<Inputs, State> {
    /** The constructor throws a MissingSettingError before any request. */
    protected abstract readonly Operation: new (runtime: JobRuntime, inputs: Inputs, olds?: State) => Operation;
    protected abstract readonly words: JobWords;
    /** The outputs, which stay in the state until the next job has a result. */
    protected abstract readonly outputs: readonly (keyof State)[];

    constructor(protected readonly runtime: JobRuntime) {
        super();
    }

    /** Returns the reason for an update in place; undefined if there is nothing to do. Makes no request. */
    protected abstract changeOf(olds: State, news: Inputs): string | undefined;
    /** Returns the outputs of the job that a create, or an update of `olds`, needs. */
    protected abstract carryOut(operation: Operation, inputs: Inputs, olds?: State): Promise<Partial<State>>;
    /** The resource in the message of a failed refresh. */
    protected abstract subjectOf(props: State, jobId: string): string;
    /** Requests the job from the platform and returns the new state. */
    protected abstract refresh(props: State, jobId: string): Promise<State>;

    protected get client(): AdminClient {
        return this.runtime.connect().client;
    }

    override diff(id: string, olds: State, news: Inputs): Promise<dynamic.DiffResult> {
        this.runtime.savedJobs.add(olds.jobId ?? olds.statusId);
        return super.diff(id, olds, news);
    }

    protected override compare(olds: State, news: Inputs): dynamic.DiffResult {
        const diff = diffInputs(this.inputs, olds, news);
        return diff.replaces ? diff : { changes: this.changeOf(olds, news) !== undefined };
    }

    /** A job that has no result yet is saved in the state, and the next update resumes it. */
    protected async apply(inputs: Inputs, olds?: State): Promise<State> {
        const operation = new this.Operation(this.runtime, inputs, olds);
        if (olds) {
            await this.forget(olds);
        }
        try {
            return definedOnly({ ...inputs, ...(await this.carryOut(operation, inputs, olds)) }) as unknown as State;
        } catch (error) {
            throw this.failureOf(error, inputs, olds);
        }
    }

    /**
     * Only the platform's own 404, asked twice, means that the resource is gone. Everything else is an error, so that
     * neither an expired key nor a gateway removes a resource from the state.
     */
    override async read(id: string, props: State): Promise<dynamic.ReadResult<State>> {
        const jobId = props.pendingJobId ?? props.jobId;
        if (jobId === undefined) {
            return { id, props };
        }
        try {
            return { id, props: await askTwice(this.runtime, () => this.refresh(props, jobId)) };
        } catch (error) {
            if (isGone(error)) {
                await forgetSavedJobs(this.runtime, [jobId]);
                return { id: "" };
            }
            throw explainRefresh(error, this.subjectOf(props, jobId), this.keySource);
        }
    }

    override delete(_id: string, props: State): Promise<void> {
        return this.forget(props);
    }

    /** Forgets the jobs of a state that is about to change. */
    protected forget({ jobId, statusId, pendingJobId }: State): Promise<void> {
        return forgetSavedJobs(this.runtime, [jobId, statusId, pendingJobId]);
    }

    /**
     * Returns the error that a create or an update throws when its run failed. If the next update needs a job's id,
     * Pulumi saves the id with the failure; otherwise the failure does not change the state.
     */
    protected failureOf(error: unknown, inputs: Inputs, olds?: State): Error {
        const { words, resumedJobId, statePending, stateLost } = this.failedOperation(inputs, olds, error);
        const id = this.idOf(inputs);
        if (error instanceof PendingJobError) {
            const state: JobState = definedOnly({ ...statePending, pendingJobId: error.jobId });
            return new SavedFailure(id, state, explainPending(error.cause, error.jobId, this.keySource));
        }
        const explained = explain(error, inputs.jobId, words, this.keySource);
        // Otherwise the next update would resume the lost job and fail again.
        return isLost(error) && error.jobId !== undefined && error.jobId === resumedJobId
            ? new SavedFailure(id, definedOnly(stateLost), explained)
            : explained;
    }

    protected failedOperation(inputs: Inputs, olds: State | undefined, error: unknown): FailedOperation;
    protected failedOperation(inputs: Inputs, olds: State | undefined): FailedOperation {
        const { pendingJobId, jobId, statusId, ...stateLost } = olds ?? ({} as State);
        return {
            words: this.words,
            resumedJobId: pendingJobId,
            statePending: { ...this.outputsOf(olds), ...definedOnly(inputs) },
            stateLost,
        };
    }

    protected outputsOf(state: Partial<State> = {}): Partial<State> {
        return definedOnly(Object.fromEntries(this.outputs.map((name) => [name, state[name]]))) as Partial<State>;
    }

    protected readonly keySource: FindKeySource = () => this.runtime.connect().keySource;
}
