import type { AdminClient, StaticExportJob } from "@pulumi-static-export/sdk";
import { JobLog } from "../job-log.js";
import type { JournalEntry } from "../journal.js";
import { isGone } from "./lost-job.js";
import { PendingJobError } from "./pending-job-error.js";
import type { BundleRuntime } from "./runtime.js";

/** How long an export that no run has brought home yet stands for the change it was started for. */
const freshForMs = 24 * 3600 * 1000;
/** How long Pulumi may take to save a bundle that it was given: only then can a kill have lost it. */
const deliveryMs = 5 * 60 * 1000;
/** How soon to look again whether another run has its answer. */
const lookAgainMs = 1000;

/** The entry of a job whose id is known. */
type JobEntry = JournalEntry & { readonly jobId: string };

/** What is exported, and how long this run may take. */
export interface ThisRun {
    client: AdminClient;
    exportKey: unknown;
    domain: string;
    deadlineMs: number;
}

/** What the journal tells of other runs of the same export on this machine: killed ones, and some that go on. */
export class EarlierRuns {
    readonly #runtime: BundleRuntime;
    readonly #run: ThisRun;

    constructor(runtime: BundleRuntime, run: ThisRun) {
        this.#runtime = runtime;
        this.#run = run;
    }

    /** The job to adopt; undefined when a new one is to be started. Settles what starts without an answer left open. */
    async findJob(): Promise<JobEntry | undefined> {
        const { domain } = this.#run;
        for (const entry of await this.#answered()) {
            if (isJob(entry)) {
                if (await this.#isWorthAdopting(entry)) {
                    return entry;
                }
            } else {
                this.#runtime.print(
                    `${domain}: an earlier run, at ${entry.startedAt}, never learned whether the export it started ` +
                        "is running. Another one is started now. To adopt the first instead, set its jobId.",
                );
            }
            await entry.remove();
        }
        return undefined;
    }

    /** Whoever names a job knows what became of the starts without an answer. */
    async settleUnanswered(): Promise<void> {
        for (const entry of await this.#runtime.journal.find(this.#run.exportKey)) {
            if (!isJob(entry) && !entry.isUnderWay) {
                await entry.remove();
            }
        }
    }

    /** The entries, once no other run waits for the answer to its start. */
    async #answered(): Promise<JournalEntry[]> {
        const { journal, clock, print } = this.#runtime;
        const { exportKey, domain, deadlineMs } = this.#run;
        for (let looks = 1; ; looks++) {
            const entries = await journal.find(exportKey);
            if (!entries.some(({ isUnderWay }) => isUnderWay)) {
                return entries;
            }
            if (clock.now() >= deadlineMs) {
                throw new Error(
                    `Export of ${domain}: another run was starting its job for as long as this one could wait.`,
                );
            }
            if (looks === 1) {
                print(`${domain}: another run is starting an export of the same inputs: waiting for its job`);
            }
            await clock.sleep(lookAgainMs);
        }
    }

    async #isWorthAdopting({ jobId, startedAt, deliveredAt }: JobEntry): Promise<boolean> {
        const { print, clock } = this.#runtime;
        if (deliveredAt !== undefined && this.#isPast(deliveredAt, deliveryMs)) {
            return false; // An ordinary end of an earlier run, which has nothing to do with this change.
        }
        const job = await this.#get(jobId, startedAt);
        const refusal = this.#refusalOf(job, startedAt);
        const log = new JobLog(this.#run.domain, jobId, print, () => clock.now());
        log.say(
            refusal === undefined
                ? "adopted: another run started it for the same inputs"
                : `another run started this job for the same inputs, but ${refusal}`,
        );
        return refusal === undefined;
    }

    #refusalOf(job: StaticExportJob | undefined, startedAt: string): string | undefined {
        if (job === undefined) {
            return "the platform no longer has it";
        }
        if (job.status === "failed") {
            return `it failed: ${job.error ?? "the platform gives no reason"}`;
        }
        const isOld = job.status === "completed" && this.#isPast(job.updatedAt ?? startedAt, freshForMs);
        return isOld ? "its export is more than a day old" : undefined;
    }

    async #get(jobId: string, startedAt: string): Promise<StaticExportJob | undefined> {
        try {
            const { client, domain, deadlineMs } = this.#run;
            return await client.staticExports.get(jobId, { domain, deadlineMs });
        } catch (error) {
            if (isGone(error)) {
                return undefined;
            }
            // Of an old job nobody knows whether its export is fresh, so that it is not kept unseen.
            throw this.#isPast(startedAt, freshForMs) ? error : new PendingJobError(jobId, error);
        }
    }

    #isPast(time: string, ms: number): boolean {
        return this.#runtime.clock.now() - Date.parse(time) > ms;
    }
}

function isJob(entry: JournalEntry): entry is JobEntry {
    return entry.jobId !== undefined;
}
