import { unknownValue } from "@pulumi-static-export/contract";
import type { Properties } from "../wire/properties.js";

/** Outputs that are unknown until the update has run. */
export function unknownOutputs(names: readonly string[]): Properties {
    return Object.fromEntries(names.map((name) => [name, unknownValue]));
}
