import type { dynamic } from "@pulumi/pulumi";
import { isSameExport, type BundleInputs, type BundleState } from "./model.js";

/** Why an update is due, or undefined when there is nothing to do. */
export type UpdateReason = "inputs" | "job" | "pending" | "link";

/** Compares what is stored with what is declared. Makes no request: nothing but the clock decides on a link. */
export function diffBundle(olds: BundleState, news: BundleInputs, nowMs: number): dynamic.DiffResult {
    if (olds.domain !== news.domain) {
        return { changes: true, replaces: ["domain"] };
    }
    return { changes: updateReason(olds, news, nowMs) !== undefined };
}

/** The most telling reason for an update in place, given that the domain is the same. */
export function updateReason(olds: BundleState, news: BundleInputs, nowMs: number): UpdateReason | undefined {
    if (!isSameExport(olds, news)) {
        return "inputs";
    }
    if (news.jobId !== undefined && news.jobId !== (olds.pendingJobId ?? olds.jobId)) {
        return "job";
    }
    if (olds.pendingJobId !== undefined || olds.jobId === undefined) {
        return "pending";
    }
    return isLinkDue(olds, news, nowMs) ? "link" : undefined;
}

/** Whether the link is gone or dies within `renewBeforeSeconds`. A link of which no expiry is known never is. */
function isLinkDue(olds: BundleState, news: BundleInputs, nowMs: number): boolean {
    if (news.renewLink === false) {
        return false;
    }
    if (olds.bundleUrl === undefined) {
        return true;
    }
    const expiresAtMs = olds.expiresAt === undefined ? NaN : Date.parse(olds.expiresAt);
    const platformNowMs = nowMs + (olds.clockSkewMs ?? 0);
    return platformNowMs >= expiresAtMs - (news.renewBeforeSeconds ?? 0) * 1000;
}
