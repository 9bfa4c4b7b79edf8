import { type ExportInputName, exportInputNames } from "./export-request.js";
import { isSameValue } from "./same-value.js";

/** The effect of `pulumi up` on an export. Only `export` starts a job. `store` only saves the program's inputs. */
export type ExportEffect = "export" | "adopt" | "resume" | "renew" | "store" | "nothing";

/** Why `pulumi up` does something with an export. A changed domain replaces the resource. */
type ExportCause = "new" | "domain" | "inputs" | "job" | "pending" | "lost" | "link" | "import";

/** The effect of `pulumi up` on an export, and its cause. */
export interface ExportDecision {
    readonly effect: ExportEffect;
    /** Undefined if nothing happens. */
    readonly cause: ExportCause | undefined;
    /** The changed inputs that determine the exported content. */
    readonly changed: readonly ExportInputName[];
}

/** The values of a program, or of a state, on which the decision depends. */
export interface ExportValues extends Partial<Readonly<Record<ExportInputName, unknown>>> {
    readonly domain?: unknown;
    readonly jobId?: unknown;
    readonly pendingJobId?: unknown;
    readonly bundleUrl?: unknown;
    readonly expiresAt?: string | undefined;
    readonly linkLifetimeSeconds?: number | undefined;
    readonly clockSkewMs?: number | undefined;
    readonly renewBeforeSeconds?: number | undefined;
    readonly renewLink?: unknown;
}

/** Whether an input is the same in the state and in the program. A preview's log does not show secrets. */
type CompareInput = (input: string, before: unknown, after: unknown) => boolean;

const compareValues: CompareInput = (_input, before, after) => isSameValue(before, after);

/** States of earlier releases contain null for missing inputs. */
export function changedExportInputs(
    olds: ExportValues,
    news: ExportValues,
    isSame: CompareInput = compareValues,
): ExportInputName[] {
    return exportInputNames.filter((input) => !isSame(input, olds[input] ?? undefined, news[input] ?? undefined));
}

interface DecisionOptions {
    nowMs: number;
    /** Whether this process imported the state, which then lacks the program's inputs. */
    isImported?: boolean;
    isSame?: CompareInput;
}

/**
 * Decides what `pulumi up` does with a `StaticExportBundle`. The provider's diff and update follow this decision, and
 * the report on a pull request shows it.
 *
 * @param olds - the state; undefined for a new resource
 */
export function decideBundle(
    olds: ExportValues | undefined,
    news: ExportValues,
    { nowMs, isImported = false, isSame = compareValues }: DecisionOptions,
): ExportDecision {
    const start = news.jobId === undefined ? "export" : "adopt";
    if (olds === undefined) {
        return { effect: start, cause: "new", changed: [] };
    }
    const changed = changedExportInputs(olds, news, isSame);
    const decide = (effect: ExportEffect, cause?: ExportCause): ExportDecision => ({ effect, cause, changed });
    if (!isSame("domain", olds.domain, news.domain)) {
        return decide(start, "domain");
    }
    if (changed.length > 0 && !isImported) {
        return decide(start, "inputs");
    }
    const known = olds.pendingJobId ?? olds.jobId;
    if (news.jobId !== undefined && !isSame("jobId", known, news.jobId)) {
        return decide("adopt", known === undefined ? "lost" : "job");
    }
    if (olds.pendingJobId !== undefined) {
        return decide("resume", "pending");
    }
    if (olds.jobId === undefined) {
        return decide("export", "lost");
    }
    if (isLinkDue(olds, news, nowMs)) {
        return decide("renew", "link");
    }
    return changed.length > 0 ? decide("store", "import") : decide("nothing");
}

/** Decides what `pulumi up` does with a `StaticExportJob`: what a bundle's decision says about jobs, without links. */
export function decideExportJob(
    olds: ExportValues | undefined,
    news: ExportValues,
    isSame: CompareInput = compareValues,
): ExportDecision {
    const inputs = { ...news, jobId: undefined, renewLink: false };
    return decideBundle(olds && { ...olds, pendingJobId: undefined }, inputs, { nowMs: 0, isSame });
}

/**
 * Whether the link is missing or expires within `renewBeforeSeconds`. A link without a known expiry is never renewed.
 */
function isLinkDue(olds: ExportValues, news: ExportValues, nowMs: number): boolean {
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
    { linkLifetimeSeconds = Infinity }: ExportValues,
    { renewBeforeSeconds = 0 }: ExportValues,
): number {
    return renewBeforeSeconds >= linkLifetimeSeconds ? linkLifetimeSeconds / 2 : renewBeforeSeconds;
}
