import type { Properties } from "../wire/properties.js";
import type { Declaration, RegisteredResource, WireProperties } from "./resource-monitor.js";

/** The inputs of a component. */
export interface ComponentInputs {
    /** Plain values, with secrets unwrapped. */
    values: Properties;
    /** The same inputs in the protocol's form, for passing on. */
    wire: WireProperties;
}

/** Declares a resource that belongs to the component and has its name. */
export type Declare = (
    resource: Pick<Declaration, "type" | "inputs" | "dependsOn">,
) => Promise<Pick<RegisteredResource, "urn" | "output">>;
