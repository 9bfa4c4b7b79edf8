import { changedExportInputs, type ExportDecision } from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { JobLog } from "../engine/job-log.js";
import { isUnknown } from "../engine/unknown-value.js";
import { jobWordsOf } from "../jobs/explain-failure.js";
import { JobLifecycle } from "../jobs/job-lifecycle.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { bundleInputs, checkBundle } from "./check.js";
import { decideUpdate, describeUpdate, diffBundle } from "./diff.js";
import { ExportOperation } from "./export-operation.js";
import { endImport } from "./import-bundle.js";
import { LinkTests } from "./link-tests.js";
import { type BundleInputs, type BundleState, type Exported, storedOutputs } from "./model.js";

/** The lifecycle of a `StaticExportBundle`, called through its serialised provider. */
export class BundleLifecycle extends JobLifecycle<BundleInputs, BundleState, ExportOperation> {
    readonly inputs = bundleInputs;
    protected readonly Operation = ExportOperation;
    protected readonly outputs = storedOutputs;
    protected readonly words = jobWordsOf({
        resource: "StaticExportBundle",
        jobId: "se_…",
        startAgain: "export again (if a StaticExportJob started it, run `pulumi up --refresh`)",
    });
    readonly #links: LinkTests;

    constructor(runtime: JobRuntime, links = new LinkTests()) {
        super(runtime);
        this.#links = links;
    }

    protected override validate = checkBundle;
    /** The host name identifies the export, and is the same for later jobs. */
    protected idOf = ({ domain }: BundleInputs) => domain;
    protected subjectOf = ({ domain }: BundleState) => domain;

    protected changeOf(olds: BundleState, news: BundleInputs): string | undefined {
        return this.#decide(olds, news).cause;
    }

    protected override compare(olds: BundleState, news: BundleInputs): dynamic.DiffResult {
        const decision = this.#decide(olds, news);
        const why = describeUpdate(decision, olds, news);
        if (why !== undefined) {
            // Pulumi ignores a detailed diff from a dynamic provider, but shows what it prints.
            this.runtime.log(`${isUnknown(news.domain) ? olds.domain : news.domain}: ${why}`);
        }
        return diffBundle(decision);
    }

    #decide(olds: BundleState, news: BundleInputs): ExportDecision {
        return decideUpdate(olds, news, this.runtime.clock.now());
    }

    /** Runs one export, adopts or resumes a job, or renews a link. */
    protected async carryOut(operation: ExportOperation, inputs: BundleInputs, olds?: BundleState): Promise<Exported> {
        const exported = await this.#export(operation, inputs, olds);
        if (olds) {
            endImport(olds);
        }
        return exported;
    }

    async #export(operation: ExportOperation, inputs: BundleInputs, olds?: BundleState): Promise<Exported> {
        const effect = olds === undefined ? undefined : this.#decide(olds, inputs).effect;
        if (effect === "store") {
            return this.outputsOf(olds);
        }
        if (olds?.jobId !== undefined && (effect === "renew" || effect === "nothing")) {
            return operation.renew({ ...olds, jobId: olds.jobId });
        }
        if (inputs.jobId !== undefined) {
            return operation.adoptNamed(inputs.jobId);
        }
        return effect === "resume" && olds?.pendingJobId !== undefined
            ? operation.adopt(olds.pendingJobId)
            : operation.startOrAdopt();
    }

    /**
     * Keeps the outputs of the last export, because that export is still being served. Keeps the job id of that export
     * only if the inputs are the same: otherwise, renewing the link would look like the pending export. A lost job may
     * be that of the last export, if it ran again.
     */
    protected override failedOperation(inputs: BundleInputs, olds: BundleState | undefined, error: unknown) {
        const failed = super.failedOperation(inputs, olds, error);
        const { jobId } = olds && changedExportInputs(olds, inputs).length === 0 ? olds : inputs;
        return {
            ...failed,
            statePending: { ...failed.statePending, jobId },
            stateLost: { ...failed.stateLost, jobId: olds?.jobId === olds?.pendingJobId ? undefined : olds?.jobId },
        };
    }

    /**
     * Keeps the state while the platform has the job. If the job has failed since it was completed, removes its id, so
     * that the next update exports again. A link that the storage refuses before its expiry counts as expired, so that
     * the next update renews it.
     */
    protected async refresh(props: BundleState, id: string): Promise<BundleState> {
        const { domain, clockSkewMs = 0, pendingJobId } = props;
        const { status, error } = await this.client.staticExports.get(id, { domain, signal: this.runtime.signal });
        // The update that resumes a pending job reports why that job failed.
        if (status === "failed" && pendingJobId === undefined) {
            const reason = error ?? "the platform gives no reason";
            new JobLog(domain, id, this.runtime).say(`this export has failed since it was completed: ${reason}`);
            const { jobId, ...withoutJob } = props;
            return withoutJob;
        }
        return (await this.#isLinkDead(props))
            ? { ...props, expiresAt: new Date(this.runtime.clock.now() + clockSkewMs).toISOString() }
            : props;
    }

    async #isLinkDead({ bundleUrl, pendingJobId, renewLink }: BundleState): Promise<boolean> {
        return bundleUrl === undefined || pendingJobId !== undefined || renewLink === false
            ? false
            : this.#links.isDead(bundleUrl, this.runtime.signal);
    }
}
