import { type EngineEvent } from "./engine-event.js";
import { asRecord } from "./property-value.js";
import { differingKeys } from "./resource-change.js";

/** The names of the stack's outputs that change, or whose value is known only after `pulumi up`. Never their values. */
export function changedOutputs(events: readonly EngineEvent[]): string[] {
    const steps = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
    const stack = steps.findLast(({ type }) => type === "pulumi:pulumi:Stack");
    return stack === undefined ? [] : differingKeys(asRecord(stack.old?.outputs), asRecord(stack.new?.outputs));
}
