import { exportRequestOf } from "@pulumi-static-export/contract";
import { type BundleLink, type PlatformExportJob } from "@pulumi-static-export/sdk";
import { countPlaces, describeExportWarning, isConflict } from "@pulumi-static-export/sdk/internal";
import { describePages, withoutFullStop } from "../engine/job-log.js";
import type { JobEntry } from "../engine/journal/entries.js";
import { EarlierRuns } from "../jobs/earlier-runs.js";
import { JobOperation } from "../jobs/job-operation.js";
import { type JobTask, unansweredStart } from "../jobs/job-task.js";
import { askTwice, isGone, isLost } from "../jobs/job-errors.js";
import { finishJob, type RunningJob, startOrAdopt } from "../jobs/start-or-adopt.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { definedOnly } from "../engine/defined-only.js";
import type { StartIntent } from "../start-keys/start-key.js";
import { linkOutputs } from "./link-outputs.js";
import { type BundleInputs, type BundleState, type Exported, exportKeyOf } from "./model.js";

/** How long creating the bundle may take if the job was completed just before the deadline. */
const bundleGraceMs = 30_000;
/**
 * How long a completed export may be adopted for the same inputs. After this time, the export's content is outdated.
 */
const freshForMs = 3600 * 1000;
/** Limited, because a long list would hide the rest of Pulumi's output about the stack. */
const maxShownWarnings = 10;

/** One operation of an export: starts, adopts or resumes a job, or renews a link. */
export class ExportOperation extends JobOperation<BundleInputs, BundleState> {
    protected readonly subject = this.inputs.domain;
    readonly #task: JobTask;

    constructor(runtime: JobRuntime, inputs: BundleInputs, olds?: BundleState) {
        super(runtime, inputs, olds);
        const { client, deadlineMs } = this;
        const { pipelineRun } = runtime.connect();
        const { domain } = inputs;
        this.#task = {
            client,
            key: [client.baseUrl, exportKeyOf(inputs)],
            // Outside of pipelines, the journal finds jobs, and each new create runs a new export.
            intent: pipelineRun === undefined ? undefined : findIntent(runtime, { inputs, olds, pipelineRun }),
            subject: domain,
            title: `Export of ${domain}`,
            noun: "export",
            unanswered: unansweredStart("export"),
            deadlineMs,
            freshForMs,
            // The key contains the run of the pipeline, which may be repeated later on another machine.
            replayFreshForMs: freshForMs,
            acceptsFailed: false,
            acceptsFailedReplay: false,
            get: (jobId) => client.staticExports.get(jobId, { domain, deadlineMs }),
        };
    }

    /**
     * Starts one job, or adopts the job that another run started for the same inputs. The other run may have been
     * killed or may still be waiting.
     */
    async startOrAdopt(): Promise<Exported> {
        const { jobId, entry } = await this.start();
        return this.adopt(jobId, entry);
    }

    /** Starts or adopts a job without waiting for it. */
    start(): Promise<RunningJob> {
        const requested = exportRequestOf(this.inputs);
        return startOrAdopt(this.runtime, {
            task: this.#task,
            send: (options) => this.client.staticExports.start(requested, options),
            onStarted: (jobId) => this.log(jobId).say("export started"),
        });
    }

    /** Waits for a known job and creates its bundle. */
    async adopt(jobId: string, entry?: JobEntry): Promise<Exported> {
        const { domain } = this.inputs;
        const log = this.log(jobId);
        return finishJob(this.runtime, { jobId, entry, isNamed: jobId === this.inputs.jobId }, async () => {
            const job = await this.runtime.engine.whileAlive(() =>
                this.client.staticExports.pollUntilDone(jobId, {
                    domain,
                    timeoutMs: this.timeoutMs,
                    deadlineMs: this.deadlineMs,
                    signal: this.runtime.signal,
                    onProgress: (status) => {
                        log.progress(status);
                        describeWarnings(status).forEach((line) => log.say(line));
                    },
                }),
            );
            const exported = this.#exported(await this.#createBundle(jobId), job);
            log.say(describeBundle(exported));
            return exported;
        });
    }

    /** Adopts the job that the program sets, and closes an earlier start that got no response. */
    async adoptNamed(jobId: string): Promise<Exported> {
        const exported = await this.adopt(jobId);
        await new EarlierRuns(this.runtime, this.#task).settleUnanswered();
        return exported;
    }

    /**
     * Requests a fresh link for an earlier export; exports again when its job is gone or has failed since. Waits for a
     * job that runs again because its bundle was damaged.
     */
    async renew(olds: BundleState & { jobId: string }): Promise<Exported> {
        try {
            return await this.#renewLink(olds);
        } catch (error) {
            // If the program sets the job, any other job would cause a diff on every run.
            if (!isLost(error) || this.inputs.jobId !== undefined) {
                throw error;
            }
            const why = isGone(error)
                ? "the platform no longer has this export"
                : `this export ${withoutFullStop(error.summary)}`;
            this.log(olds.jobId).say(`${why}, so it is exported again`);
            return this.startOrAdopt();
        }
    }

    async #renewLink({ jobId, pageCount, exportedAt }: BundleState & { jobId: string }): Promise<Exported> {
        let bundle: BundleLink;
        try {
            bundle = await askTwice(this.runtime, () => this.#createBundle(jobId));
        } catch (error) {
            if (!isConflict(error)) {
                throw error;
            }
            this.log(jobId).say("this export has no bundle at the moment: waiting for its job");
            return this.adopt(jobId);
        }
        this.log(jobId).say("link renewed, nothing exported");
        return { ...this.#exported(bundle), ...definedOnly({ pageCount, exportedAt }) };
    }

    #createBundle(jobId: string): Promise<BundleLink> {
        const deadlineMs = Math.max(this.deadlineMs, this.runtime.clock.now() + bundleGraceMs);
        return this.client.staticExports.createBundle(jobId, { domain: this.inputs.domain, deadlineMs });
    }

    #exported(bundle: BundleLink, job?: PlatformExportJob): Exported {
        const now = this.runtime.clock.now();
        const link = linkOutputs(bundle, now);
        this.#sayShortLife(link.jobId, link.linkLifetimeSeconds);
        return {
            ...link,
            ...definedOnly({ pageCount: job?.pageCount }),
            exportedAt: job?.updatedAt ?? new Date(now).toISOString(),
        };
    }

    #sayShortLife(jobId: string, lifetimeSeconds = Infinity): void {
        const { renewBeforeSeconds = 0 } = this.inputs;
        if (renewBeforeSeconds >= lifetimeSeconds) {
            this.log(jobId).say(
                `renewBeforeSeconds is ${renewBeforeSeconds}, but the link is valid for only ${lifetimeSeconds} s: ` +
                    "the link is renewed after half of that time instead",
            );
        }
    }
}

/** Returns undefined if the caller does not know the resource. */
function findIntent(
    runtime: JobRuntime,
    { inputs, olds, pipelineRun }: { inputs: BundleInputs; olds: BundleState | undefined; pipelineRun: string },
): StartIntent | undefined {
    const identity = runtime.identityOf?.(inputs);
    return identity && { identity, inputs: exportKeyOf(inputs), pipelineRun, after: olds?.jobId };
}

function describeBundle({ pageCount, sizeBytes, expiresAt }: Exported): string {
    return [
        "bundle ready",
        describePages(pageCount),
        sizeBytes === undefined ? undefined : `${sizeBytes} bytes`,
        expiresAt === undefined ? undefined : `its link expires at ${expiresAt}`,
    ]
        .filter((part) => part !== undefined)
        .join(", ");
}

/** Describes the mistakes in a site: their number, and the first few of them. */
function describeWarnings({ jobId, warnings }: PlatformExportJob): string[] {
    if (warnings === undefined || warnings.count === 0) {
        return [];
    }
    const { count, first } = warnings;
    const shown = first.slice(0, maxShownWarnings);
    return [
        `the site has ${count} ${count === 1 ? "warning" : "warnings"}`,
        ...shown.map((warning) => `warning: ${describeExportWarning(warning)}`),
        ...(count > countPlaces(shown) ? [`see the others with: static-export job ${jobId}`] : []),
    ];
}
