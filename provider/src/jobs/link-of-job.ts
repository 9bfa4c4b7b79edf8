import type { AdminClient, BundleLink } from "@pulumi-static-export/sdk";
import { isLost } from "./job-errors.js";

/** Requests a link to the bundle of a job, for a resource that runs no jobs itself. */
export async function linkOfJob(
    { staticExports }: AdminClient,
    jobId: string,
    signal: AbortSignal,
): Promise<BundleLink> {
    try {
        return await staticExports.createBundle(jobId, { signal });
    } catch (error) {
        if (!isLost(error)) {
            throw error;
        }
        const next = "If a resource of this program exported it, run `pulumi up --refresh`, which exports again.";
        throw new Error(`${error.message} ${next}`, { cause: error });
    }
}
