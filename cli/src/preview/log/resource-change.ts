import { isSameValue, parseUrn } from "@pulumi-static-export/contract";
import { type EngineEvent, type StepMetadata, type StepState } from "./engine-event.js";
import { asRecord, asString, asStrings, hasUnknown } from "./property-value.js";

/** The effect of `pulumi up` on one resource. `forget` removes the resource from the state but deletes nothing. */
export type ChangeKind =
    | "same"
    | "create"
    | "update"
    | "replace"
    | "delete"
    | "import"
    | "read"
    | "refresh"
    | "forget"
    | "finish-replacement";

export interface ResourceSnapshot {
    id: string;
    parent: string | undefined;
    isProtected: boolean;
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
    initErrors: string[];
}

export interface ResourceChange {
    urn: string;
    type: string;
    name: string;
    kind: ChangeKind;
    parent: string | undefined;
    old: ResourceSnapshot | undefined;
    new: ResourceSnapshot | undefined;
    /** Paths of changed properties, as far as the engine or the inputs show them. */
    changed: string[];
    /** Whether the provider reports each changed input, so that others are the same, even if the log hides them. */
    listsChanges: boolean;
    /** Properties that cause a replacement. */
    replacedBy: string[];
    /** Whether the old resource is deleted before the new one is created. */
    isDeletedFirst: boolean;
}

const kindOf: Readonly<Record<string, ChangeKind>> = {
    same: "same",
    create: "create",
    update: "update",
    delete: "delete",
    replace: "replace",
    "create-replacement": "replace",
    "import-replacement": "replace",
    "read-replacement": "replace",
    "delete-replaced": "finish-replacement",
    "discard-replaced": "finish-replacement",
    "remove-pending-replace": "finish-replacement",
    import: "import",
    read: "read",
    refresh: "refresh",
    discard: "forget",
    // Internal steps of the engine: another step describes the effect on the resource.
    diff: "same",
    "extend-parameterize": "same",
};

/**
 * A later step of a resource takes precedence over an earlier one: a refresh, for example, is followed by an update.
 */
const weight: Readonly<Record<ChangeKind, number>> = {
    same: 0,
    refresh: 1,
    read: 1,
    "finish-replacement": 2,
    forget: 3,
    delete: 3,
    update: 4,
    import: 5,
    create: 5,
    replace: 6,
};

/** Folds the steps of a preview into one change per resource, sorted by name: the engine's order varies. */
export function foldSteps(events: readonly EngineEvent[]): ResourceChange[] {
    const changes = new Map<string, ResourceChange>();
    for (const step of events.flatMap(stepsOf)) {
        const change = readStep(step);
        if (change === undefined) {
            continue;
        }
        const known = changes.get(change.urn);
        changes.set(change.urn, known === undefined ? change : merge(known, change));
    }
    return [...changes.values()].sort((a, b) => compare(a.name, b.name) || compare(a.urn, b.urn));
}

/**
 * The result of a refresh or read is in the event that ends it; other operations are in the event that begins a step.
 */
function stepsOf({ resourcePreEvent, resOutputsEvent }: EngineEvent): StepMetadata[] {
    const { metadata: begun } = resourcePreEvent ?? {};
    const { metadata: ended } = resOutputsEvent ?? {};
    return [
        ...(begun !== undefined && !endsWithResult(begun) ? [begun] : []),
        ...(ended !== undefined && endsWithResult(ended) ? [ended] : []),
    ];
}

function endsWithResult({ op }: StepMetadata): boolean {
    return op === "refresh" || op === "read";
}

function readStep(step: StepMetadata): ResourceChange | undefined {
    const op = asString(step.op) ?? "";
    const urn = asString(step.urn);
    if (urn === undefined) {
        return undefined;
    }
    const { type = "", name = "" } = parseUrn(urn) ?? {};
    const old = readState(step.old);
    const state = readState(step.new);
    return {
        urn,
        type: asString(step.type) ?? type,
        name,
        kind: kindOfStep(op, step, old, state),
        parent: state?.parent ?? old?.parent,
        old,
        new: state,
        changed: changedProperties(step, old, state),
        listsChanges: reportedChanges(step).length > 0,
        replacedBy: asStrings(step.keys),
        isDeletedFirst: op === "delete-replaced",
    };
}

function kindOfStep(
    op: string,
    step: StepMetadata,
    old: ResourceSnapshot | undefined,
    state: ResourceSnapshot | undefined,
): ChangeKind {
    if (op === "delete" && step.old?.delete === true) {
        return "finish-replacement";
    }
    if (op === "delete" && step.old?.retainOnDelete === true) {
        return "forget";
    }
    if (endsWithResult(step) && isSameValue(old?.outputs, state?.outputs)) {
        return "same";
    }
    // An unknown operation counts as a change, and is listed by its name in the last section.
    return kindOf[op] ?? "update";
}

function merge(known: ResourceChange, next: ResourceChange): ResourceChange {
    const [less, more] = weight[next.kind] >= weight[known.kind] ? [known, next] : [next, known];
    return {
        ...more,
        // After a refresh, the new value is the future content of the state, and the old value its earlier content.
        old: less.kind === "refresh" ? (more.old ?? less.old) : (known.old ?? next.old),
        changed: more.changed.length > 0 ? more.changed : less.changed,
        listsChanges: more.changed.length > 0 ? more.listsChanges : less.listsChanges,
        replacedBy: more.replacedBy.length > 0 ? more.replacedBy : less.replacedBy,
        isDeletedFirst: known.isDeletedFirst,
    };
}

function readState(state: StepState | null | undefined): ResourceSnapshot | undefined {
    if (typeof state !== "object" || state === null) {
        return undefined;
    }
    return {
        id: asString(state.id) ?? "",
        parent: asString(state.parent) || undefined,
        isProtected: state.protect === true,
        inputs: asRecord(state.inputs),
        outputs: asRecord(state.outputs),
        initErrors: asStrings(state.initErrors),
    };
}

/** The engine's list of changed properties if the provider reports one, otherwise the inputs that differ. */
function changedProperties(
    step: StepMetadata,
    old: ResourceSnapshot | undefined,
    state: ResourceSnapshot | undefined,
): string[] {
    if (step.op === "same" || old === undefined || state === undefined) {
        return [];
    }
    const named = reportedChanges(step);
    return (named.length > 0 ? named : differingKeys(old.inputs, state.inputs)).filter(isTold);
}

function reportedChanges({ detailedDiff, diffs }: StepMetadata): string[] {
    const detailed = Object.keys(asRecord(detailedDiff));
    return detailed.length > 0 ? detailed : asStrings(diffs);
}

/** The names of the properties that differ, or may differ because their value is unknown. */
export function differingKeys(old: Record<string, unknown>, state: Record<string, unknown>): string[] {
    const keys = new Set([...Object.keys(old), ...Object.keys(state)]);
    return [...keys]
        .filter((key) => hasUnknown(state[key]) || !isSameValue(old[key], state[key]))
        .filter(isTold)
        .sort();
}

/** Skips the serialised provider and Pulumi's internal properties, which the program does not declare. */
function isTold(property: string): boolean {
    return !property.startsWith("__");
}

/** Orders names independently of the machine's locale. */
function compare(a: string, b: string): number {
    return a < b ? -1 : Number(a > b);
}
