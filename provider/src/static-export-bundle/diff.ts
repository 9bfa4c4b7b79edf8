import { decideBundle, type ExportDecision, type ExportInputName } from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "../engine/unknown-value.js";
import { wasImported } from "./import-bundle.js";
import type { BundleInputs, BundleState } from "./model.js";

/** Decides what an update does; only the clock decides whether a link has expired. */
export function decideUpdate(olds: BundleState, news: BundleInputs, nowMs: number): ExportDecision {
    return decideBundle(olds, news, { nowMs, isImported: wasImported(olds) });
}

export function diffBundle({ effect, cause }: ExportDecision): dynamic.DiffResult {
    return cause === "domain" ? { changes: true, replaces: ["domain"] } : { changes: effect !== "nothing" };
}

/** Describes the cause and effect of an update, for the preview; undefined if no update is due. */
export function describeUpdate(
    { cause, changed }: ExportDecision,
    olds: BundleState,
    news: BundleInputs,
): string | undefined {
    const { jobId } = news;
    const runs = jobId === undefined ? "runs one new export" : `adopts ${jobOf(jobId)} and exports nothing`;
    // Lines that a refresh can also show do not say "this update".
    switch (cause) {
        case "domain":
            return `the domain was ${olds.domain}: the replacement ${runs}`;
        case "inputs":
            return `${changed.map((input) => describeChange(input, news)).join(" and ")}: this update ${runs}`;
        case "job":
            return `jobId changes: this update ${runs}`;
        case "pending":
            return `job ${olds.pendingJobId} is still pending: an update resumes it and starts no other job`;
        case "lost":
            return `the last export job failed or was lost: an update ${runs}`;
        case "link":
            return (
                `its link ${olds.expiresAt === undefined ? "is missing" : `expires at ${olds.expiresAt}`}: ` +
                "an update renews it and exports nothing"
            );
        case "import":
            return `job ${olds.jobId} is imported: an update stores the program's inputs and exports nothing`;
        default:
            return undefined;
    }
}

/** A job that a `StaticExportJob` of the same program starts is unknown during a preview. */
function jobOf(jobId: string): string {
    return isUnknown(jobId) ? "a job that is known later" : `job ${jobId}`;
}

/** Does not contain the values, which may be secrets of the program: Pulumi shows those that are not. */
function describeChange(input: ExportInputName, news: BundleInputs): string {
    return isUnknown(news[input]) ? `${input} may change` : `${input} changed`;
}
