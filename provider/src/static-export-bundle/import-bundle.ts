import { beginningOf } from "@pulumi-static-export/contract";
import type { AdminClient, Clock } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import { isGone } from "../jobs/job-errors.js";
import { checkBundle } from "./check.js";
import { linkOutputs } from "./link-outputs.js";
import type { BundleState } from "./model.js";

/** The state of an imported export, and the inputs that the program has to declare. */
export interface ImportedBundle {
    id: string;
    state: { [key: string]: unknown };
    inputs: { [key: string]: unknown };
}

/**
 * The jobs that this process has imported, as `domain/job`. The states of imported jobs do not contain the inputs of
 * their exports.
 */
const importedJobs = new Set<string>();

/**
 * Whether this process imported a state, so that the next update only completes it with the program's inputs. A later
 * `pulumi up` runs in another process, where a different version is a change.
 */
export function wasImported({ domain, jobId }: BundleState): boolean {
    return importedJobs.has(`${domain}/${jobId}`);
}

/** Called when the state contains the inputs. */
export function endImport({ domain, jobId }: BundleState): void {
    importedJobs.delete(`${domain}/${jobId}`);
}

/**
 * Reads an export that was started elsewhere, with a fresh link. The platform does not report the domain of a job, so
 * the id contains the domain and the job: `docs.example.com/se_42`. Returns undefined if the platform does not have the
 * job.
 */
export async function importBundle(
    { staticExports }: AdminClient,
    importId: string,
    { clock, signal }: { clock: Pick<Clock, "now">; signal?: AbortSignal },
): Promise<ImportedBundle | undefined> {
    const [given = "", jobId, ...rest] = importId.split("/");
    const { inputs, failures = [] } = checkBundle({ domain: given, jobId });
    const { domain } = inputs ?? {};
    if (domain === undefined || jobId === undefined || rest.length > 0 || failures.length > 0) {
        throw new Error(
            `${importId.length > 300 ? `${beginningOf(importId, 300)}…` : importId} does not name an export. Import it as DOMAIN/JOB, such as docs.example.com/se_42.`,
        );
    }
    try {
        const job = await staticExports.get(jobId, { domain, signal });
        if (job.status !== "completed") {
            const next =
                job.status === "failed"
                    ? "To export again, declare the resource without importing it."
                    : "To wait for it, declare the resource with this jobId instead.";
            throw new Error(
                `Export job ${jobId} of ${domain} is ${job.status}: only a completed one can be imported. ${next}`,
            );
        }
        const bundle = await staticExports.createBundle(jobId, { domain, signal });
        const { pageCount, updatedAt: exportedAt } = job;
        const link = linkOutputs({ ...bundle, jobId }, clock.now());
        const state: BundleState = { domain, ...link, ...definedOnly({ pageCount, exportedAt }) };
        importedJobs.add(`${domain}/${jobId}`);
        return { id: domain, state: { ...state }, inputs: { domain } };
    } catch (error) {
        if (isGone(error)) {
            return undefined;
        }
        throw error;
    }
}
