import type { dynamic } from "@pulumi/pulumi";
import { JobFailedError } from "@pulumi-static-export/sdk";
import { isGone, isLost } from "../host/jobs/lost-job.js";
import { explain, explainPending, explainRefresh, type FindKeySource } from "../host/jobs/next-step.js";
import { PendingJobError } from "../host/jobs/pending-job-error.js";
import type { JobRuntime } from "../host/jobs/runtime.js";
import { SavedFailure } from "../host/saved-failure.js";
import { AgentJobRun, messageId } from "./agent-job-run.js";
import { checkAgentJob } from "./check.js";
import { type AgentJobInputs, type AgentJobOutputs, type AgentJobState, changeOf, outputsOf } from "./model.js";

const words = { resource: "AgentJob", jobId: "aj_…", anew: "create a new one" };

/** The lifecycle of an `AgentJob`: what the resource's methods do once Pulumi has called them. */
export class AgentJobLifecycle {
    readonly #runtime: JobRuntime;
    /**
     * Jobs that failed in this very `pulumi up`, by what they were created for. A hook on errors makes the engine call
     * create again, up to a hundred times: that is no reason for another job.
     */
    readonly #failures = new Map<string, unknown>();

    constructor(runtime: JobRuntime) {
        this.#runtime = runtime;
    }

    check(_olds: AgentJobInputs, news: AgentJobInputs): Promise<dynamic.CheckResult<AgentJobInputs>> {
        return Promise.resolve(checkAgentJob({ ...news }));
    }

    diff(_id: string, olds: AgentJobState, news: AgentJobInputs): Promise<dynamic.DiffResult> {
        return Promise.resolve(
            olds.projectId === news.projectId
                ? { changes: changeOf(olds, news) !== undefined }
                : { changes: true, replaces: ["projectId"] },
        );
    }

    /**
     * Runs one job, or adopts the one that is named. A job that was created and has not ended yet is saved in the state,
     * and the next update waits for it.
     */
    async create(inputs: AgentJobInputs): Promise<dynamic.CreateResult<AgentJobState>> {
        // The project stays the same over all later jobs of the resource.
        const id = inputs.projectId;
        const key = JSON.stringify([inputs.projectId, inputs.prompt, inputs.triggers, inputs.jobId]);
        if (this.#failures.has(key)) {
            throw this.#failures.get(key);
        }
        const run = new AgentJobRun(this.#runtime, inputs);
        try {
            const outputs = await (inputs.jobId === undefined ? run.createOrAdopt() : run.adopt(inputs.jobId));
            return { id, outs: stateOf(inputs, outputs) };
        } catch (error) {
            if (error instanceof PendingJobError) {
                throw savePending(id, inputs, {}, error, this.#keySource);
            }
            const explained = explain(error, inputs.jobId, words, this.#keySource);
            if (error instanceof JobFailedError) {
                this.#failures.set(key, explained);
            }
            throw explained;
        }
    }

    /** Refreshes what the job shows. Only 404 means that it is gone. */
    async read(id: string, props: AgentJobState): Promise<dynamic.ReadResult<AgentJobState>> {
        const jobId = props.pendingJobId ?? props.jobId;
        if (jobId === undefined) {
            return { id, props };
        }
        try {
            const job = await this.#runtime.connect().client.agentJobs.get(props.projectId, jobId);
            return { id, props: props.pendingJobId === undefined ? stateOf(props, outputsOf(job)) : props };
        } catch (error) {
            if (isGone(error)) {
                await this.#runtime.journal.forget(jobId);
                return { id: "" };
            }
            throw explainRefresh(error, `Agent job ${jobId} of project ${props.projectId}`, this.#keySource);
        }
    }

    /** Does what the difference asks for: a new job, a message, another job, or the wait for one. */
    async update(id: string, olds: AgentJobState, news: AgentJobInputs): Promise<dynamic.UpdateResult<AgentJobState>> {
        const run = new AgentJobRun(this.#runtime, news);
        // What stands in the state needs no journal: another change back to it is to be worked on anew.
        await this.#forget(olds);
        try {
            return { outs: stateOf(news, await this.#change(run, olds, news)) };
        } catch (error) {
            if (error instanceof PendingJobError) {
                throw savePending(id, news, olds, error, this.#keySource);
            }
            const lostJobId = isLost(error) ? error.jobId : undefined;
            const explained = explain(error, news.jobId, words, this.#keySource);
            // Without this the next update would wait for the lost job again, and fail again.
            throw lostJobId !== undefined && lostJobId === olds.pendingJobId
                ? new SavedFailure(id, withoutJob(olds), explained)
                : explained;
        }
    }

    /** Forgets the job: the agent's work and the pull request stay. Needs no key and makes no request. */
    delete(_id: string, props: AgentJobState): Promise<void> {
        return this.#forget(props);
    }

    async #forget({ jobId, pendingJobId, prompt }: AgentJobState): Promise<void> {
        for (const known of [jobId, pendingJobId]) {
            if (known !== undefined) {
                await this.#runtime.journal.forget(known);
                await this.#runtime.journal.forget(messageId(known, prompt));
            }
        }
    }

    readonly #keySource: FindKeySource = () => this.#runtime.connect().keySource;

    #change(run: AgentJobRun, olds: AgentJobState, news: AgentJobInputs): Promise<AgentJobOutputs> {
        const currentId = olds.pendingJobId ?? olds.jobId;
        const change = changeOf(olds, news);
        if (change === "other-job" && news.jobId !== undefined) {
            return run.adopt(news.jobId);
        }
        if (change === "new-job" || currentId === undefined) {
            return run.createOrAdopt();
        }
        return change === "message" ? run.sendMessage(currentId) : run.adopt(currentId);
    }
}

/** What an earlier job showed does not stand for this one. */
function stateOf(inputs: AgentJobState, outputs: AgentJobOutputs): AgentJobState {
    const { status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt, pendingJobId, ...rest } = inputs;
    return { ...definedOf(rest), ...outputs };
}

function savePending(
    id: string,
    inputs: AgentJobInputs,
    { jobId, status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt }: AgentJobOutputs,
    error: PendingJobError,
    keySource: FindKeySource,
): SavedFailure {
    const outputs = { jobId, status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt };
    const properties = definedOf({ ...outputs, ...definedOf(inputs), pendingJobId: error.jobId });
    return new SavedFailure(id, properties, explainPending(error.cause, error.jobId, keySource));
}

/** The next update creates a new job, unless the program names one. */
function withoutJob({ pendingJobId, jobId, ...rest }: AgentJobState): AgentJobState {
    return definedOf(rest);
}

function definedOf<T extends object>(value: T): T {
    return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
