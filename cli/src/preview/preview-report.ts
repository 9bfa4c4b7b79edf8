import { isBucketSite, isBundle, isExportJob, parseUrn, releaseType } from "@pulumi-static-export/contract";
import { type Comparison } from "@pulumi-static-export/exporter/compare";
import { countPages } from "./comparison.js";
import { findClearAdminKey } from "./log/clear-admin-key.js";
import { collectDiagnostics, type Diagnostic } from "./log/diagnostics.js";
import { type EngineEvent } from "./log/engine-event.js";
import { explainCopy } from "./explain/explain-copy.js";
import { explainExport, type ExportChange } from "./explain/explain-export.js";
import { explainUpdate } from "./explain/explain-update.js";
import { explainRelease, type ReleaseChange } from "./explain/explain-release.js";
import { type Phrase } from "./explain/phrase.js";
import { collectPolicies, type PolicyReport, withResults } from "./log/policy-results.js";
import { findDeletions, type ProtectedStacks } from "./explain/protected-stacks.js";
import { type EventLog } from "./log/read-events.js";
import { type ChangeKind, foldSteps, type ResourceChange, differingKeys } from "./log/resource-change.js";
import { asRecord } from "./log/property-value.js";

/** A resource that is neither an export nor a release. */
export interface OtherChange {
    urn: string;
    type: string;
    name: string;
    kind: ChangeKind;
    isProtected: boolean;
    isDeletedFirst: boolean;
    changed: string[];
    replacedBy: string[];
    /** The real effect, if the preview is misleading. */
    note: Phrase | undefined;
}

export type Outcome = "failed" | "rule-broken" | "changes" | "renewal" | "unchanged";

/** The result of a preview. The report's text comes from the log unchanged: clean it before showing it. */
export interface PreviewReport {
    project: string;
    stack: string;
    outcome: Outcome;
    /** Whether the log ends before the preview did, so that there may be more changes. */
    isIncomplete: boolean;
    hasClearAdminKey: boolean;
    errors: Diagnostic[];
    warnings: Diagnostic[];
    exports: ExportChange[];
    releases: ReleaseChange[];
    others: OtherChange[];
    policies: PolicyReport;
    /** The changes for readers, if two exports were compared. */
    pages?: Comparison;
    /** Names of stack outputs that change. */
    outputs: string[];
    /** The number of resources that do not change. */
    unchanged: number;
}

/** Facts about a preview from the caller, in addition to its events. */
export interface PreviewContext {
    project?: string | undefined;
    stack?: string | undefined;
    /** Pulumi's last lines, if it failed. The lines are reported if the events do not explain the failure. */
    failure?: string | undefined;
    /** How the export of the change differs from the served export. */
    pages?: Comparison | undefined;
    /** @default advisory, for stacks whose name begins with `prod` */
    protectedStacks?: ProtectedStacks | undefined;
}

/**
 * Creates the report of a preview from its events and the caller's facts. The time of the preview also comes from the
 * log.
 */
export function createReport({ events, isCut }: EventLog, context: PreviewContext = {}): PreviewReport {
    const all = foldSteps(events);
    const nowMs = previewTimeMs(events);
    const exports = all.filter(isExport).flatMap((change) => explainExport(change, nowMs) ?? []);
    const releases = all
        .filter(({ type }) => type === releaseType)
        .flatMap((change) => explainRelease(change, exports, all) ?? []);
    // With several sites, the comparison does not show which pages belong to which site.
    const isOneSite = all.filter(isBucketSite).length === 1;
    const changedPages = isOneSite && context.pages !== undefined ? countPages(context.pages) : undefined;
    const others = all.filter(isOther).flatMap((change) => describeOther(change, exports, changedPages));
    const { errors, warnings } = collectDiagnostics(events);
    const summary = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
    const { stack: stackOfUrn = "", project = "" } = parseUrn(all[0]?.urn ?? "") ?? {};
    const stack = context.stack ?? stackOfUrn;
    const report = {
        project: context.project ?? project,
        stack,
        isIncomplete: isCut || summary === undefined,
        hasClearAdminKey: findClearAdminKey(events) !== undefined,
        errors,
        warnings,
        exports,
        releases,
        others,
        policies: withResults(collectPolicies(events), findDeletions(all, stack, context.protectedStacks)),
        ...(context.pages && { pages: context.pages }),
        outputs: changedOutputs(events),
        unchanged: all.filter((change) => change.kind === "same" && !isDefaultProvider(change)).length,
    };
    const outcome = outcomeOf(report, hasSucceeded(events, summary?.result));
    return withFailure({ ...report, outcome }, context.failure);
}

/** Adds Pulumi's last lines to a report that does not explain why the preview failed. */
function withFailure(report: PreviewReport, failure: string | undefined): PreviewReport {
    const isExplained = exitCodeOf(report) === 1 && (report.errors.length > 0 || !report.isIncomplete);
    if (failure === undefined || isExplained) {
        return report;
    }
    return { ...report, errors: [...report.errors, { resource: undefined, message: failure }], outcome: "failed" };
}

/** Returns 1 if a rule is broken or the preview failed. */
export function exitCodeOf({ outcome }: PreviewReport): 0 | 1 {
    return outcome === "failed" || outcome === "rule-broken" ? 1 : 0;
}

/** Whether the preview succeeded. An older engine's summary contains no result, so its events must contain no error. */
function hasSucceeded(events: readonly EngineEvent[], result: unknown): boolean {
    return result === undefined
        ? events.every(({ diagnosticEvent, errorEvent }) => diagnosticEvent?.severity !== "error" && !errorEvent)
        : result === "succeeded";
}

function outcomeOf(report: Omit<PreviewReport, "outcome">, hasSucceeded: boolean): Outcome {
    const isBroken = report.policies.results.some(({ level }) => level === "mandatory");
    if (report.isIncomplete || report.errors.length > 0 || (!hasSucceeded && !isBroken)) {
        return "failed";
    }
    if (isBroken) {
        return "rule-broken";
    }
    if (report.exports.length + report.releases.length + report.others.length + report.outputs.length === 0) {
        return "unchanged";
    }
    return isRenewal(report) ? "renewal" : "changes";
}

/**
 * Whether the preview only renews links of served bundles. The outputs of a renewed export are known only afterwards.
 */
function isRenewal({ exports, releases, others }: Omit<PreviewReport, "outcome">): boolean {
    return (
        exports.length > 0 &&
        exports.every(({ effect }) => effect === "renew") &&
        releases.every(({ effect, reasons }) => effect === "secret" && reasons.length === 1) &&
        others.length === 0
    );
}

function previewTimeMs(events: readonly EngineEvent[]): number {
    const seconds = events.map(({ timestamp }) => timestamp).filter((each) => typeof each === "number");
    return (seconds.at(-1) ?? NaN) * 1000;
}

/** A StaticExportBundle whose job a StaticExportJob starts counts as an adopted export. */
function isExport(change: ResourceChange): boolean {
    return isBundle(change) || isExportJob(change);
}

function isOther(change: ResourceChange): boolean {
    const { type, kind } = change;
    const isExplained = (isExport(change) || type === releaseType) && kind !== "finish-replacement";
    return kind !== "same" && !isExplained && type !== "pulumi:pulumi:Stack" && !isDefaultProvider(change);
}

/**
 * Whether a resource is a default provider: default providers follow the stack's configuration, and Pulumi hides them,
 * too.
 */
function isDefaultProvider({ type, name }: ResourceChange): boolean {
    return type.startsWith("pulumi:providers:") && /^default(?:_|$)/.test(name);
}

function describeOther(
    change: ResourceChange,
    exports: readonly ExportChange[],
    changedPages: number | undefined,
): OtherChange[] {
    const note = explainUpdate(change) ?? explainCopy(change, exports, changedPages);
    if (note === "none") {
        return [];
    }
    const { urn, type, name, kind, isDeletedFirst, changed, replacedBy } = change;
    const isProtected = change.old?.isProtected === true;
    return [{ urn, type, name, kind, isProtected, isDeletedFirst, changed, replacedBy, note }];
}

/** The names of the stack's outputs that change, or whose value is known only after `pulumi up`. Never their values. */
function changedOutputs(events: readonly EngineEvent[]): string[] {
    const steps = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
    const stack = steps.findLast(({ type }) => type === "pulumi:pulumi:Stack");
    return stack === undefined ? [] : differingKeys(asRecord(stack.old?.outputs), asRecord(stack.new?.outputs));
}
