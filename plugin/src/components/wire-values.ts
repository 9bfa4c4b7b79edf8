import { markKey, marks, unknownValue } from "@pulumi-static-export/contract";
import { isUnknown } from "pulumi-static-export/plugin-entry";
import type { WireProperties } from "./resource-monitor.js";

export function secretOf(value: unknown): WireProperties {
    return { [markKey]: marks.secret, value };
}

/** Returns the properties of an object, secret or not; undefined if the value is unknown or is not an object. */
export function fieldsOf(value: unknown): WireProperties | undefined {
    const inner = isSecret(value) ? value["value"] : value;
    return typeof inner === "object" && inner !== null ? (inner as WireProperties) : undefined;
}

/**
 * Merges a component's values into a program's values for a chart. If the given values are secret or unknown as a
 * whole, so is the result.
 * @param ownValues - computed from the given values; they take precedence
 */
export function withOwnValues(given: unknown, ownValues: (given: WireProperties) => WireProperties): unknown {
    if (isUnknown(given)) {
        return unknownValue;
    }
    const fields = fieldsOf(given) ?? {};
    const all = { ...fields, ...ownValues(fields) };
    return isSecret(given) ? secretOf(all) : all;
}

function isSecret(value: unknown): value is WireProperties {
    return typeof value === "object" && value !== null && (value as WireProperties)[markKey] === marks.secret;
}
