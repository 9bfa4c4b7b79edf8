import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "../host/unknown-value.js";
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
    return platformNowMs >= expiresAtMs - noticeSeconds(olds, news) * 1000;
}

/** A notice that is longer than links live would renew on every `pulumi up`. */
function noticeSeconds(
    { linkLifetimeSeconds = Infinity }: BundleState,
    { renewBeforeSeconds = 0 }: BundleInputs,
): number {
    return renewBeforeSeconds >= linkLifetimeSeconds ? linkLifetimeSeconds / 2 : renewBeforeSeconds;
}

/** Why an update is due and what it will do, for whoever reads a preview; undefined where there is none. */
export function describeUpdate(olds: BundleState, news: BundleInputs, nowMs: number): string | undefined {
    if (olds.domain !== news.domain) {
        return `the domain was ${olds.domain}: a new resource runs one new export`;
    }
    const reason = updateReason(olds, news, nowMs);
    return reason && describe[reason](olds, news);
}

const describe: Record<UpdateReason, (olds: BundleState, news: BundleInputs) => string> = {
    inputs: (olds, news) =>
        `${changedInputs(olds, news)}: this update ` +
        (news.jobId === undefined ? "runs one new export" : `adopts job ${news.jobId} and exports nothing`),
    job: (_olds, { jobId }) => `jobId names ${jobId}: this update adopts it and exports nothing`,
    pending: ({ pendingJobId }) =>
        pendingJobId === undefined
            ? "there is no export yet: this update runs one"
            : `job ${pendingJobId} was not finished: this update continues it and starts no other`,
    link: ({ expiresAt }) =>
        `its link ${expiresAt === undefined ? "is gone" : `expires at ${expiresAt}`}: this update renews it and ` +
        "exports nothing",
};

function changedInputs(olds: BundleState, news: BundleInputs): string {
    if (!isDeepStrictEqual(olds.version, news.version)) {
        return isUnknown(news.version)
            ? "version may change"
            : `version changes from ${olds.version ?? "none"} to ${news.version ?? "none"}`;
    }
    return (["paths", "triggers"] as const)
        .filter((input) => !isDeepStrictEqual(olds[input], news[input]))
        .map((input) => `${input} changed`)
        .join(" and ");
}
