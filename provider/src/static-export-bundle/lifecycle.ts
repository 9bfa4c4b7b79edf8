import type { dynamic } from "@pulumi/pulumi";
import type { KeySource } from "../host/settings.js";
import { isUnknown } from "../host/unknown-value.js";
import { SavedFailure } from "../host/saved-failure.js";
import { checkBundle } from "./check.js";
import { describeUpdate, diffBundle, updateReason } from "./diff.js";
import { type Exported, ExportRun } from "./export-run.js";
import { isGone, isLost } from "../host/jobs/lost-job.js";
import { explain, explainPending, explainRefresh } from "../host/jobs/next-step.js";
import { PendingJobError } from "../host/jobs/pending-job-error.js";
import type { JobRuntime } from "../host/jobs/runtime.js";
import { definedOnly, isSameExport, type BundleInputs, type BundleState } from "./model.js";

const words = { resource: "StaticExportBundle", jobId: "se_…", anew: "export anew" };

/**
 * The lifecycle of a `StaticExportBundle`: what the resource's methods do once Pulumi has called them.
 * Nothing here is kept between calls, because one instance serves all resources of the stack.
 */
export class BundleLifecycle {
    readonly #runtime: JobRuntime;

    constructor(runtime: JobRuntime) {
        this.#runtime = runtime;
    }

    check(olds: BundleInputs, news: BundleInputs): Promise<dynamic.CheckResult<BundleInputs>> {
        return Promise.resolve(checkBundle({ ...news }, olds));
    }

    diff(_id: string, olds: BundleState, news: BundleInputs): Promise<dynamic.DiffResult> {
        const now = this.#runtime.clock.now();
        const why = describeUpdate(olds, news, now);
        if (why !== undefined) {
            // Pulumi takes no detailed difference from a dynamic provider, and shows its lines.
            this.#runtime.print(`${isUnknown(news.domain) ? olds.domain : news.domain}: ${why}`);
        }
        return Promise.resolve(diffBundle(olds, news, now));
    }

    /**
     * Runs one export job, or adopts the one that is named. A job that was started and has yielded no bundle yet is saved
     * in the state, and the next update resumes it.
     */
    async create(inputs: BundleInputs): Promise<dynamic.CreateResult<BundleState>> {
        // The host name identifies what is exported and stays the same over all later jobs.
        const id = inputs.domain;
        const run = new ExportRun(this.#runtime, inputs);
        try {
            const exported = await (inputs.jobId === undefined ? run.startOrAdopt() : run.adoptNamed(inputs.jobId));
            return { id, outs: stateOf(inputs, exported) };
        } catch (error) {
            throw error instanceof PendingJobError
                ? savePending(id, inputs, undefined, error, this.#keySource)
                : explain(error, inputs.jobId, words, this.#keySource);
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
            throw explainRefresh(error, props.domain, this.#keySource);
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
                throw savePending(id, news, olds, error, this.#keySource);
            }
            // Without this the next update would resume the lost job again, and fail again.
            const lostJobId = isLost(error) ? error.jobId : undefined;
            const explained = explain(error, news.jobId, words, this.#keySource);
            throw lostJobId !== undefined && lostJobId === olds.pendingJobId
                ? saveLost(id, olds, explained)
                : explained;
        }
    }

    /** Forgets the export: the API has no call to delete one. Needs no key and makes no request. */
    delete(_id: string, props: BundleState): Promise<void> {
        return this.#forget(props);
    }

    readonly #keySource = (): KeySource | undefined => this.#runtime.connect().keySource;

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
    keySource: () => KeySource | undefined,
): SavedFailure {
    const { jobId, bundleUrl, expiresAt, linkLifetimeSeconds, clockSkewMs, sizeBytes, pageCount, exportedAt } =
        olds ?? {};
    const properties = {
        ...inputs,
        ...(olds && isSameExport(olds, inputs) ? { jobId } : {}),
        ...{ bundleUrl, expiresAt, linkLifetimeSeconds, clockSkewMs, sizeBytes, pageCount, exportedAt },
        pendingJobId: error.jobId,
    };
    return new SavedFailure(id, definedOnly(properties), explainPending(error.cause, error.jobId, keySource));
}

function saveLost(id: string, olds: BundleState, error: unknown): SavedFailure {
    const { pendingJobId, ...rest } = olds;
    return new SavedFailure(id, definedOnly(rest), error);
}
