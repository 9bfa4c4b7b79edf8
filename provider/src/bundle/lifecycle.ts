import type { dynamic } from "@pulumi/pulumi";
import { SavedFailure } from "../saved-failure.js";
import { checkBundle } from "./check.js";
import { diffBundle, updateReason } from "./diff.js";
import { type Exported, ExportRun } from "./export-run.js";
import { isGone, isLost } from "./lost-job.js";
import { definedOnly, isSameExport, type BundleInputs, type BundleState } from "./model.js";
import { explain, explainPending, explainRefresh } from "./next-step.js";
import { PendingJobError } from "./pending-job-error.js";
import type { BundleRuntime } from "./runtime.js";

/**
 * The lifecycle of a `StaticExportBundle`: what the resource's methods do once Pulumi has called them.
 * Nothing here is kept between calls, because one instance serves all resources of the stack.
 */
export class BundleLifecycle {
    readonly #runtime: BundleRuntime;

    constructor(runtime: BundleRuntime) {
        this.#runtime = runtime;
    }

    check(_olds: BundleInputs, news: BundleInputs): Promise<dynamic.CheckResult<BundleInputs>> {
        return Promise.resolve(checkBundle({ ...news }));
    }

    diff(_id: string, olds: BundleState, news: BundleInputs): Promise<dynamic.DiffResult> {
        return Promise.resolve(diffBundle(olds, news, this.#runtime.clock.now()));
    }

    /**
     * Runs one export job, or adopts the one that is named. A job that was started and not brought home is saved in
     * the state, and the next update resumes it.
     */
    async create(inputs: BundleInputs): Promise<dynamic.CreateResult<BundleState>> {
        // The host name identifies what is exported and stays the same over all later jobs.
        const id = inputs.domain;
        const run = new ExportRun(this.#runtime, inputs);
        try {
            const exported = await (inputs.jobId === undefined ? run.startOrAdopt() : run.adoptNamed(inputs.jobId));
            return { id, outs: stateOf(inputs, exported) };
        } catch (error) {
            throw error instanceof PendingJobError ? savePending(id, inputs, undefined, error) : explain(error, inputs);
        }
    }

    /**
     * Keeps what is stored while the platform has the job. Only 404 means that the resource is gone: every other
     * error is one, so that an expired key never deletes anything from the state.
     */
    async read(id: string, props: BundleState): Promise<dynamic.ReadResult<BundleState>> {
        const jobId = props.pendingJobId ?? props.jobId;
        if (jobId === undefined) {
            return { id, props };
        }
        try {
            await this.#runtime.connect().client.staticExports.get(jobId, { domain: props.domain });
        } catch (error) {
            if (isGone(error)) {
                await this.#runtime.journal.forget(jobId);
                return { id: "" };
            }
            throw explainRefresh(error);
        }
        return { id, props };
    }

    /** Does what the difference asks for: adopt a job, resume one, renew a link or run a new export. */
    async update(id: string, olds: BundleState, news: BundleInputs): Promise<dynamic.UpdateResult<BundleState>> {
        const run = new ExportRun(this.#runtime, news);
        // What stands in the state needs no journal: another change back to these inputs is to run a new job.
        await this.#forget(olds);
        try {
            return { outs: stateOf(news, await this.#export(run, olds, news)) };
        } catch (error) {
            if (error instanceof PendingJobError) {
                throw savePending(id, news, olds, error);
            }
            // Without this the next update would resume the lost job again, and fail again.
            const lostJobId = isLost(error) ? error.jobId : undefined;
            const explained = explain(error, news);
            throw lostJobId !== undefined && lostJobId === olds.pendingJobId ? saveLost(id, olds, explained) : explained;
        }
    }

    /** Forgets the export: the API has no call to delete one. Needs no key and makes no request. */
    delete(_id: string, props: BundleState): Promise<void> {
        return this.#forget(props);
    }

    async #forget({ jobId, pendingJobId }: BundleState): Promise<void> {
        for (const known of [jobId, pendingJobId]) {
            if (known !== undefined) {
                await this.#runtime.journal.forget(known);
            }
        }
    }

    #export(run: ExportRun, olds: BundleState, news: BundleInputs): Promise<Exported> {
        const reason = updateReason(olds, news, this.#runtime.clock.now());
        if (news.jobId !== undefined && reason !== "link") {
            return run.adoptNamed(news.jobId);
        }
        if (reason === "inputs") {
            return run.startOrAdopt();
        }
        if (olds.pendingJobId !== undefined) {
            return run.adopt(olds.pendingJobId);
        }
        return hasJob(olds) ? run.renew(olds) : run.startOrAdopt();
    }
}

function hasJob(state: BundleState): state is BundleState & { jobId: string } {
    return state.jobId !== undefined;
}

/** `jobId` is an input and an output: what was exported stands in the state. */
function stateOf(inputs: BundleInputs, exported: Exported): BundleState {
    return definedOnly({ ...inputs, ...exported }) as BundleState;
}

/**
 * The outputs of the last export stay, because its site is still the one that is served. Its job stays only where it
 * exported these very inputs: else a renewal of its link would pass for the export that is pending.
 */
function savePending(
    id: string,
    inputs: BundleInputs,
    olds: BundleState | undefined,
    error: PendingJobError,
): SavedFailure {
    const { jobId, bundleUrl, expiresAt, clockSkewMs, sizeBytes, pageCount, exportedAt } = olds ?? {};
    const properties = {
        ...inputs,
        ...(olds && isSameExport(olds, inputs) ? { jobId } : {}),
        ...{ bundleUrl, expiresAt, clockSkewMs, sizeBytes, pageCount, exportedAt },
        pendingJobId: error.jobId,
    };
    return new SavedFailure(id, definedOnly(properties), explainPending(error.cause, error.jobId));
}

function saveLost(id: string, olds: BundleState, error: unknown): SavedFailure {
    const { pendingJobId, ...rest } = olds;
    return new SavedFailure(id, definedOnly(rest), error);
}
