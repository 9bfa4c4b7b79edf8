import type { dynamic } from "@pulumi/pulumi";
import { isSameValue } from "../engine/same-value.js";
import { isUnknown } from "../engine/unknown-value.js";
import { wasImported } from "./import-bundle.js";
import { isSameExport, type BundleInputs, type BundleState } from "./model.js";

/** The reason for an update. */
type UpdateReason = "inputs" | "job" | "pending" | "link" | "import";

/** Compares state and inputs: only the clock decides whether a link has expired. */
export function diffBundle(olds: BundleState, news: BundleInputs, nowMs: number): dynamic.DiffResult {
    if (olds.domain !== news.domain) {
        return { changes: true, replaces: ["domain"] };
    }
    return { changes: updateReason(olds, news, nowMs) !== undefined };
}

/** Returns the first reason for an update in place, if there is one. The domain must be the same. */
export function updateReason(olds: BundleState, news: BundleInputs, nowMs: number): UpdateReason | undefined {
    const isSame = isSameExport(olds, news);
    if (!isSame && !wasImported(olds)) {
        return "inputs";
    }
    if (news.jobId !== undefined && news.jobId !== (olds.pendingJobId ?? olds.jobId)) {
        return "job";
    }
    if (olds.pendingJobId !== undefined || olds.jobId === undefined) {
        return "pending";
    }
    if (isLinkDue(olds, news, nowMs)) {
        return "link";
    }
    return isSame ? undefined : "import";
}

/**
 * Whether the link is missing or expires within `renewBeforeSeconds`. A link without a known expiry is never renewed.
 */
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

/** Shortens a period that is longer than the link's lifetime, which would renew the link on every `pulumi up`. */
function noticeSeconds(
    { linkLifetimeSeconds = Infinity }: BundleState,
    { renewBeforeSeconds = 0 }: BundleInputs,
): number {
    return renewBeforeSeconds >= linkLifetimeSeconds ? linkLifetimeSeconds / 2 : renewBeforeSeconds;
}

/** Describes the reason and effect of an update, for the preview; undefined if no update is due. */
export function describeUpdate(olds: BundleState, news: BundleInputs, nowMs: number): string | undefined {
    if (olds.domain !== news.domain) {
        return `the domain was ${olds.domain}: the replacement runs one new export`;
    }
    const reason = updateReason(olds, news, nowMs);
    return reason && describe[reason](olds, news);
}

/** Lines that a refresh can also show do not say "this update". */
const describe: Record<UpdateReason, (olds: BundleState, news: BundleInputs) => string> = {
    inputs: (olds, news) =>
        `${changedInputs(olds, news)}: this update ` +
        (news.jobId === undefined ? "runs one new export" : `adopts job ${news.jobId} and exports nothing`),
    job: (_olds, { jobId }) =>
        `jobId names ${isUnknown(jobId) ? "a job that is known later" : jobId}: this update adopts it and exports nothing`,
    pending: ({ pendingJobId }) =>
        pendingJobId === undefined
            ? "there is no export yet: an update runs one"
            : `job ${pendingJobId} is still pending: an update resumes it and starts no other job`,
    link: ({ expiresAt }) =>
        `its link ${expiresAt === undefined ? "is missing" : `expires at ${expiresAt}`}: an update renews it and ` +
        "exports nothing",
    import: ({ jobId }) => `job ${jobId} is imported: an update stores the program's inputs and exports nothing`,
};

function changedInputs(olds: BundleState, news: BundleInputs): string {
    if (olds.version !== news.version) {
        return isUnknown(news.version)
            ? "version may change"
            : `version changes from ${olds.version ?? "none"} to ${news.version ?? "none"}`;
    }
    return (["paths", "triggers"] as const)
        .filter((input) => !isSameValue(olds[input], news[input]))
        .map((input) => `${input} changed`)
        .join(" and ");
}
