import { markKey, marks, unknownValue } from "@pulumi-static-export/contract";
import { isUnknown } from "pulumi-static-export/plugin-entry";
import type { WireProperties } from "./resource-monitor.js";

/** The named properties that are given. */
export function pick(properties: WireProperties, names: readonly string[]): WireProperties {
    return Object.fromEntries(
        Object.entries(properties).filter(([name, value]) => names.includes(name) && value !== undefined),
    );
}

export function secretOf(value: unknown): WireProperties {
    return { [markKey]: marks.secret, value };
}

/** The properties of an object, secret or not; undefined where it has none or is not known. */
export function fieldsOf(value: unknown): WireProperties | undefined {
    const inner = isSecret(value) ? value["value"] : value;
    return typeof inner === "object" && inner !== null ? (inner as WireProperties) : undefined;
}

/**
 * The values that a program gives a chart, with those of the component. If the given values are secret or unknown as a
 * whole, the result is, too.
 *
 * @param ownValues - made from what is given; they take precedence
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
