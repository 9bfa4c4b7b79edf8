import type { AdminClient, BundleLink } from "@pulumi-static-export/sdk";
import { isLost } from "./job-errors.js";

/** Requests a link to the bundle of the job that a resource serves, for a resource that runs no jobs itself. */
export async function linkOfJob(
    { staticExports }: AdminClient,
    { jobId, pin }: { jobId: string; pin?: string | undefined },
    signal: AbortSignal,
): Promise<BundleLink> {
    try {
        return await staticExports.createBundle(pin ?? jobId, { signal });
    } catch (error) {
        if (!isLost(error)) {
            throw error;
        }
        const next =
            pin === undefined
                ? "If a resource of this program exported it, run `pulumi up --refresh`, which exports again."
                : "Pin a job that still exists, or remove pin.";
        throw new Error(`${error.message} ${next}`, { cause: error });
    }
}
