/**
 * The part of Pulumi's engine events (sdk/go/common/apitype/events.go) that the report uses. A log may come from any
 * branch, so every field is optional here and checked on use.
 */
export interface EngineEvent {
    /** Seconds since the epoch. */
    timestamp?: unknown;
    preludeEvent?: { config?: unknown };
    resourcePreEvent?: { metadata?: StepMetadata };
    resOutputsEvent?: { metadata?: StepMetadata };
    resOpFailedEvent?: { metadata?: StepMetadata };
    diagnosticEvent?: { urn?: unknown; message?: unknown; severity?: unknown };
    policyEvent?: PolicyEvent;
    policyRemediationEvent?: Omit<PolicyEvent, "message" | "enforcementLevel">;
    policyAnalyzeSummaryEvent?: PolicySummary;
    policyRemediateSummaryEvent?: PolicySummary;
    policyAnalyzeStackSummaryEvent?: PolicySummary;
    summaryEvent?: { result?: unknown; PolicyPacks?: unknown };
    errorEvent?: { error?: unknown };
}

export interface StepMetadata {
    op?: unknown;
    urn?: unknown;
    type?: unknown;
    old?: StepState | null;
    new?: StepState | null;
    /** Properties that cause a replacement. */
    keys?: unknown;
    /** Properties that change. */
    diffs?: unknown;
    /** Paths of properties that change. */
    detailedDiff?: unknown;
}

export interface StepState {
    id?: unknown;
    parent?: unknown;
    protect?: unknown;
    /** Whether this is the old resource of an interrupted replacement. */
    delete?: unknown;
    retainOnDelete?: unknown;
    inputs?: unknown;
    outputs?: unknown;
    initErrors?: unknown;
}

interface PolicyEvent {
    resourceUrn?: unknown;
    message?: unknown;
    policyName?: unknown;
    policyPackName?: unknown;
    enforcementLevel?: unknown;
    severity?: unknown;
}

interface PolicySummary {
    policyPackName?: unknown;
    passed?: unknown;
    failed?: unknown;
}

const kinds: ReadonlySet<string> = new Set([
    "preludeEvent",
    "resourcePreEvent",
    "resOutputsEvent",
    "resOpFailedEvent",
    "diagnosticEvent",
    "policyEvent",
    "policyRemediationEvent",
    "policyLoadEvent",
    "policyAnalyzeSummaryEvent",
    "policyRemediateSummaryEvent",
    "policyAnalyzeStackSummaryEvent",
    "summaryEvent",
    "cancelEvent",
    "stdoutEvent",
    "startDebuggingEvent",
    "progressEvent",
    "errorEvent",
]);

/** Whether a value is an engine event, of a known kind or of a kind that a later engine adds. */
export function isEngineEvent(value: unknown): value is EngineEvent {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return false;
    }
    return Object.keys(value).some((key) => kinds.has(key)) || ("sequence" in value && "timestamp" in value);
}
