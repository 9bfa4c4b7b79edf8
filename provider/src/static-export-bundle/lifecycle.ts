import type { dynamic } from "@pulumi/pulumi";
import { failureOf, type FailedRun, readJob } from "../jobs/job-state.js";
import { jobWordsOf } from "../jobs/explain-failure.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { forgetSavedJobs } from "../jobs/saved-jobs.js";
import { isUnknown } from "../engine/unknown-value.js";
import { checkBundle } from "./check.js";
import { describeUpdate, diffBundle, updateReason } from "./diff.js";
import { type Exported, ExportRun } from "./export-run.js";
import { endImport } from "./import-bundle.js";
import { LinkTests } from "./link-tests.js";
import { definedOnly } from "../engine/defined-only.js";
import { isSameExport, type BundleInputs, type BundleState } from "./model.js";

const words = jobWordsOf({
    resource: "StaticExportBundle",
    jobId: "se_…",
    startAgain: "export again (if a StaticExportJob started it, run `pulumi up --refresh`)",
});

/**
 * The lifecycle of a `StaticExportBundle`, called through its serialised provider. Stores nothing between calls,
 * because one instance serves all resources of the stack.
 */
export class BundleLifecycle {
    readonly #runtime: JobRuntime;
    readonly #links: LinkTests;

    constructor(runtime: JobRuntime, links = new LinkTests()) {
        this.#runtime = runtime;
        this.#links = links;
    }

    check(olds: BundleInputs, news: BundleInputs): Promise<dynamic.CheckResult<BundleInputs>> {
        return Promise.resolve(checkBundle({ ...news }, olds));
    }

    /** Makes no request. */
    diff(_id: string, olds: BundleState, news: BundleInputs): Promise<dynamic.DiffResult> {
        const now = this.#runtime.clock.now();
        this.#runtime.savedJobs.add(olds.jobId);
        const why = describeUpdate(olds, news, now);
        if (why !== undefined) {
            // Pulumi ignores a detailed diff from a dynamic provider, but shows what it prints.
            this.#runtime.log(`${isUnknown(news.domain) ? olds.domain : news.domain}: ${why}`);
        }
        return Promise.resolve(diffBundle(olds, news, now));
    }

    /**
     * Runs one export job, or adopts the job that the program names. A job that was started but has no bundle yet is
     * saved in the state, and the next update resumes it.
     */
    async create(inputs: BundleInputs): Promise<dynamic.CreateResult<BundleState>> {
        // The host name identifies the export, and is the same for later jobs.
        const id = inputs.domain;
        const run = new ExportRun(this.#runtime, inputs);
        try {
            const exported = await (inputs.jobId === undefined ? run.startOrAdopt() : run.adoptNamed(inputs.jobId));
            return { id, outs: stateOf(inputs, exported) };
        } catch (error) {
            throw failureOf(error, this.#failedRun(id, inputs));
        }
    }

    /**
     * Keeps the state while the platform has the job. A link that the storage refuses before its expiry counts as
     * expired, so that the next update renews it.
     */
    async read(id: string, props: BundleState): Promise<dynamic.ReadResult<BundleState>> {
        return readJob(this.#runtime, { id, props, subjectOf: () => props.domain }, async (jobId) => {
            await this.#runtime
                .connect()
                .client.staticExports.get(jobId, { domain: props.domain, signal: this.#runtime.signal });
            return (await this.#isLinkDead(props)) ? { ...props, expiresAt: this.#platformNow(props) } : props;
        });
    }

    async #isLinkDead(props: BundleState): Promise<boolean> {
        const { bundleUrl, pendingJobId } = props;
        if (bundleUrl === undefined || pendingJobId !== undefined || props.renewLink === false) {
            return false;
        }
        return this.#links.isDead(bundleUrl, this.#runtime.signal);
    }

    #platformNow({ clockSkewMs = 0 }: BundleState): string {
        return new Date(this.#runtime.clock.now() + clockSkewMs).toISOString();
    }

    /** Adopts or resumes a job, renews a link, or runs a new export, depending on the diff. */
    async update(id: string, olds: BundleState, news: BundleInputs): Promise<dynamic.UpdateResult<BundleState>> {
        const run = new ExportRun(this.#runtime, news, olds);
        await this.#forget(olds);
        try {
            const outs = stateOf(news, await this.#export(run, olds, news));
            endImport(olds);
            return { outs };
        } catch (error) {
            throw failureOf(error, this.#failedRun(id, news, olds));
        }
    }

    /** Only removes the export from the state, because the API cannot delete it. Needs no key and makes no request. */
    delete(_id: string, props: BundleState): Promise<void> {
        return this.#forget(props);
    }

    #failedRun(id: string, inputs: BundleInputs, olds?: BundleState): FailedRun {
        return {
            id,
            namedJobId: inputs.jobId,
            words,
            keySource: () => this.#runtime.connect().keySource,
            statePending: () => statePending(inputs, olds),
            ...(olds && { resumedJobId: olds.pendingJobId, stateLost: () => withoutPending(olds) }),
        };
    }

    #forget({ jobId, pendingJobId }: BundleState): Promise<void> {
        return forgetSavedJobs(this.#runtime, [jobId, pendingJobId]);
    }

    #export(run: ExportRun, olds: BundleState, news: BundleInputs): Promise<Exported> {
        const reason = updateReason(olds, news, this.#runtime.clock.now());
        if (news.jobId !== undefined && reason !== "link") {
            return run.adoptNamed(news.jobId);
        }
        if (reason === "import") {
            return Promise.resolve(exportedOf(olds));
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

/** `jobId` is both an input and an output; the state contains the output. */
function stateOf(inputs: BundleInputs, exported: Exported): BundleState {
    return definedOnly({ ...inputs, ...exported }) as BundleState;
}

/**
 * Keeps the outputs of the last export, because that export is still being served. Keeps the job id of that export only
 * if the inputs are the same: otherwise, renewing the link would look like the pending export.
 */
function statePending(inputs: BundleInputs, olds: BundleState | undefined): Partial<BundleState> {
    const { jobId, ...outputs } = exportedOf(olds ?? {});
    return { ...inputs, ...(olds && isSameExport(olds, inputs) ? { jobId } : {}), ...outputs };
}

function exportedOf(state: Exported): Exported {
    const { jobId, bundleUrl, expiresAt, linkLifetimeSeconds, clockSkewMs, sizeBytes, pageCount, exportedAt } = state;
    return definedOnly({
        ...{ jobId, bundleUrl, expiresAt, linkLifetimeSeconds, clockSkewMs, sizeBytes, pageCount, exportedAt },
    });
}

function withoutPending({ pendingJobId, ...rest }: BundleState): BundleState {
    return rest;
}
