import {
    type AdminClient,
    AmbiguousStartError,
    type StaticExportBundle,
    type StaticExportJob,
} from "@pulumi-static-export/sdk";
import { describePages, JobLog } from "../job-log.js";
import type { JournalEntry } from "../journal.js";
import { EarlierRuns } from "./earlier-runs.js";
import { isGone, isLost } from "./lost-job.js";
import { defaultTimeoutSeconds, definedOnly, exportOf, type BundleInputs, type BundleState } from "./model.js";
import { PendingJobError } from "./pending-job-error.js";
import type { BundleRuntime } from "./runtime.js";

/** A job that is done at the last moment still gets this long for its bundle. */
const bundleGraceMs = 30_000;

/** What an export yields, as it stands in the state. */
export type Exported = Pick<
    BundleState,
    "jobId" | "bundleUrl" | "expiresAt" | "clockSkewMs" | "sizeBytes" | "pageCount" | "exportedAt"
>;

/** One run of the export of these inputs: from nothing, from a job that is known, or from a link that is due. */
export class ExportRun {
    readonly #runtime: BundleRuntime;
    readonly #inputs: BundleInputs;
    readonly #client: AdminClient;
    /** What the journal's entries of this export are found by. */
    readonly #exportKey: unknown;
    readonly #earlierRuns: EarlierRuns;
    readonly #timeoutMs: number;
    /** The run ends then: what is under way is finished, and nothing is tried again. */
    readonly #deadlineMs: number;

    /** @throws MissingSettingError before any request */
    constructor(runtime: BundleRuntime, inputs: BundleInputs) {
        const { client } = runtime.connect();
        this.#runtime = runtime;
        this.#inputs = inputs;
        this.#client = client;
        this.#exportKey = [client.baseUrl, exportOf(inputs)];
        this.#timeoutMs = (inputs.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
        this.#deadlineMs = runtime.clock.now() + this.#timeoutMs;
        this.#earlierRuns = new EarlierRuns(runtime, {
            client,
            exportKey: this.#exportKey,
            domain: inputs.domain,
            deadlineMs: this.#deadlineMs,
        });
    }

    /**
     * Starts one job, or adopts the one that another run on this machine started for the same inputs: a run that was
     * killed, or one that waits for it at this moment.
     */
    async startOrAdopt(): Promise<Exported> {
        const earlier = await this.#earlierRuns.findJob();
        return earlier ? this.adopt(earlier.jobId, await earlier.take()) : this.#start();
    }

    /** Waits for a job that is known by its id and makes its bundle. */
    async adopt(jobId: string, entry?: JournalEntry): Promise<Exported> {
        const { domain } = this.#inputs;
        const log = this.#log(jobId);
        try {
            const job = await this.#runtime.engine.whileAlive(() =>
                this.#client.staticExports.pollUntilDone(jobId, {
                    domain,
                    timeoutMs: this.#timeoutMs,
                    deadlineMs: this.#deadlineMs,
                    onProgress: (status) => log.progress(status),
                }),
            );
            const exported = this.#exported(await this.#createBundle(jobId), job);
            log.say(describeBundle(exported));
            await entry?.saveDelivery();
            return exported;
        } catch (error) {
            if (isLost(error)) {
                await entry?.remove();
                throw error;
            }
            // A job that is named stands in the program: the next run finds it there.
            throw jobId === this.#inputs.jobId ? error : new PendingJobError(jobId, error);
        }
    }

    /** The same for the job that the program names, which settles what starts without an answer left open. */
    async adoptNamed(jobId: string): Promise<Exported> {
        const exported = await this.adopt(jobId);
        await this.#earlierRuns.settleUnanswered();
        return exported;
    }

    /** A fresh link for a job that was exported before; a new export when the platform no longer has it. */
    async renew(olds: BundleState & { jobId: string }): Promise<Exported> {
        let bundle: StaticExportBundle;
        try {
            bundle = await this.#createBundle(olds.jobId);
        } catch (error) {
            // Another job than the one that is named would be a difference again, for ever.
            if (!isGone(error) || this.#inputs.jobId !== undefined) {
                throw error;
            }
            this.#log(olds.jobId).say("the platform no longer has this export, so it is exported again");
            return this.startOrAdopt();
        }
        this.#log(olds.jobId).say("link renewed, nothing exported");
        const { pageCount, exportedAt } = olds;
        return { ...this.#exported(bundle), ...definedOnly({ pageCount, exportedAt }) };
    }

    async #start(): Promise<Exported> {
        const { version } = this.#inputs;
        const { engine, startGate } = this.#runtime;
        const { jobId, entry } = await startGate(undefined, () => engine.finish(() => this.#startJob()));
        this.#log(jobId).say(`export started${version === undefined ? "" : ` for version ${version}`}`);
        return this.adopt(jobId, entry);
    }

    async #startJob(): Promise<{ jobId: string; entry: JournalEntry }> {
        const { domain, version, paths } = this.#inputs;
        if (this.#runtime.clock.now() >= this.#deadlineMs) {
            throw new Error(`Export of ${domain}: the starts before it took all the time that this run had.`);
        }
        const start = await this.#runtime.journal.open(this.#exportKey, domain);
        try {
            const { jobId } = await this.#client.staticExports.start(
                { domain, ...definedOnly({ version, paths }) },
                { deadlineMs: this.#deadlineMs },
            );
            return { jobId, entry: await start.saveJob(jobId) };
        } catch (error) {
            // What is not known is written down: whoever should read this error may be gone.
            await (error instanceof AmbiguousStartError ? start.saveUnanswered() : start.remove());
            throw error;
        }
    }

    #createBundle(jobId: string): Promise<StaticExportBundle> {
        const deadlineMs = Math.max(this.#deadlineMs, this.#runtime.clock.now() + bundleGraceMs);
        return this.#client.staticExports.createBundle(jobId, { domain: this.#inputs.domain, deadlineMs });
    }

    #exported(bundle: StaticExportBundle, job?: StaticExportJob): Exported {
        const { jobId, bundleUrl, expiresAt, sizeBytes, serverTimeAt } = bundle;
        const now = this.#runtime.clock.now();
        return {
            jobId,
            bundleUrl,
            ...definedOnly({
                expiresAt,
                clockSkewMs: clockSkewMs(serverTimeAt, now),
                sizeBytes,
                pageCount: job?.pageCount,
            }),
            exportedAt: job?.updatedAt ?? new Date(now).toISOString(),
        };
    }

    #log(jobId: string): JobLog {
        return new JobLog(this.#inputs.domain, jobId, this.#runtime.print, () => this.#runtime.clock.now());
    }
}

/** Undefined for clocks that agree: the header has whole seconds, and the answer took its time. */
function clockSkewMs(serverTimeAt: string | undefined, nowMs: number): number | undefined {
    const skewMs = serverTimeAt === undefined ? 0 : Date.parse(serverTimeAt) - nowMs;
    return Math.abs(skewMs) < 5000 ? undefined : skewMs;
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
