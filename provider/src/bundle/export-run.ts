import {
    AmbiguousStartError,
    HttpError,
    JobFailedError,
    type AdminClient,
    type StaticExportBundle,
    type StaticExportJob,
} from "@pulumi-static-export/sdk";
import { describePages, JobLog } from "../job-log.js";
import type { JournalEntry } from "../journal.js";
import { defaultTimeoutSeconds, definedOnly, exportOf, type BundleInputs, type BundleState } from "./model.js";
import type { BundleRuntime } from "./runtime.js";

/** How long an export that no run has brought home yet stands for the change it was started for. */
const freshForMs = 24 * 3600 * 1000;
/** How long Pulumi may take to save a bundle that it was given: only then can a kill have lost it. */
const deliveryMs = 5 * 60 * 1000;

/** A job that is done at the last moment still gets this long for its bundle. */
const bundleGraceMs = 30_000;

/** What an export yields, as it stands in the state. */
export type Exported = Pick<
    BundleState,
    "jobId" | "bundleUrl" | "expiresAt" | "clockSkewMs" | "sizeBytes" | "pageCount" | "exportedAt"
>;

/** A job that was started, and could not be brought to its bundle for now. The next update resumes it. */
export class PendingJobError extends Error {
    override readonly name = "PendingJobError";

    constructor(
        readonly jobId: string,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
    }
}

/** One run of the export of these inputs: from nothing, from a job that is known, or from a link that is due. */
export class ExportRun {
    readonly #runtime: BundleRuntime;
    readonly #inputs: BundleInputs;
    readonly #client: AdminClient;
    readonly #exportKey: unknown;
    readonly #timeoutMs: number;
    /** The run ends then: what is under way is finished, and nothing is tried again. */
    readonly #deadlineMs: number;

    /** @throws MissingSettingError before any request */
    constructor(runtime: BundleRuntime, inputs: BundleInputs) {
        const { client, baseUrl } = runtime.connect();
        this.#runtime = runtime;
        this.#inputs = inputs;
        this.#client = client;
        this.#exportKey = [baseUrl, exportOf(inputs)];
        this.#timeoutMs = (inputs.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
        this.#deadlineMs = runtime.clock.now() + this.#timeoutMs;
    }

    /**
     * Starts one job, or adopts the one that another run on this machine started for the same inputs: a run that was
     * killed, or one that waits for it at this moment.
     */
    async startOrAdopt(): Promise<Exported> {
        for (const entry of await this.#runtime.journal.find(this.#exportKey)) {
            const exported = await this.#bringHome(entry);
            if (exported) {
                return exported;
            }
            await entry.remove();
        }
        return this.#start();
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
            await this.#write(async () => entry?.saveDelivery());
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
        for (const entry of await this.#runtime.journal.find(this.#exportKey)) {
            if (entry.jobId === undefined) {
                await entry.remove();
            }
        }
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
        const { jobId, entry } = await this.#runtime.engine.finish(() => this.#startJob());
        this.#log(jobId).say(`export started${version === undefined ? "" : ` for version ${version}`}`);
        return this.adopt(jobId, entry);
    }

    async #startJob(): Promise<{ jobId: string; entry: JournalEntry | undefined }> {
        const { domain, version, paths } = this.#inputs;
        const start = await this.#write(() => this.#runtime.journal.open(this.#exportKey, domain));
        let jobId: string;
        try {
            ({ jobId } = await this.#client.staticExports.start(
                { domain, ...definedOnly({ version, paths }) },
                { deadlineMs: this.#deadlineMs },
            ));
        } catch (error) {
            // What is not known is written down: whoever should read this error may be gone.
            if (!(error instanceof AmbiguousStartError)) {
                await start?.remove();
            }
            throw error;
        }
        return { jobId, entry: start && (await this.#write(() => start.saveJob(jobId))) };
    }

    /** The journal helps after a kill; where it cannot be written, exports run without it. */
    async #write<T>(write: () => Promise<T>): Promise<T | undefined> {
        try {
            return await write();
        } catch (error) {
            this.#runtime.print(
                `${this.#inputs.domain}: the journal cannot be written, so a kill of this run would lose its job: ` +
                    `${(error as Error).message}. Set STATIC_EXPORT_JOURNAL_DIR to a folder that can be written.`,
            );
            return undefined;
        }
    }

    /** What became of a job that another run started; undefined when a new one has to be started. */
    async #bringHome(entry: JournalEntry): Promise<Exported | undefined> {
        const { jobId, domain, startedAt, deliveredAt } = entry;
        if (jobId === undefined) {
            this.#runtime.print(
                `${domain}: an earlier run, at ${startedAt}, never learned whether the export it started is running. ` +
                    "Another one is started now. To adopt the first instead, set its jobId.",
            );
            return undefined;
        }
        const log = this.#log(jobId);
        if (deliveredAt !== undefined && this.#isPast(deliveredAt, deliveryMs)) {
            return undefined; // An ordinary end of an earlier run, which has nothing to do with this change.
        }
        const job = await this.#find(jobId);
        if (job === undefined) {
            log.say("another run started this job for the same inputs, but the platform no longer has it");
            return undefined;
        }
        if (job.status === "completed" && this.#isPast(job.updatedAt ?? startedAt, freshForMs)) {
            log.say("another run started this job for the same inputs, but its export is more than a day old");
            return undefined;
        }
        log.say("adopted: another run started it for the same inputs");
        return this.adopt(jobId, entry);
    }

    #isPast(time: string, ms: number): boolean {
        return this.#runtime.clock.now() - Date.parse(time) > ms;
    }

    async #find(jobId: string): Promise<StaticExportJob | undefined> {
        try {
            const { domain } = this.#inputs;
            return await this.#client.staticExports.get(jobId, { domain, deadlineMs: this.#deadlineMs });
        } catch (error) {
            if (isGone(error)) {
                return undefined;
            }
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

/** Whether waiting longer is pointless: the job failed, or the platform does not know it. */
export function isLost(error: unknown): error is JobFailedError | HttpError {
    return error instanceof JobFailedError || isGone(error);
}

/** Whether the platform does not know the job. */
export function isGone(error: unknown): error is HttpError {
    return error instanceof HttpError && error.status === 404;
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
