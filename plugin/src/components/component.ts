import type { Properties } from "../wire/properties.js";
import type { Declaration, RegisteredResource, WireProperties } from "./resource-monitor.js";

/** The inputs of a component. */
export interface ComponentInputs {
    /** Plain values, with secrets unwrapped. */
    values: Properties;
    /** The inputs in the protocol's form, to pass to other resources. */
    wire: WireProperties;
}

/** Declares a resource that belongs to the component and has its name. */
export type Declare = (
    resource: Pick<Declaration, "type" | "inputs" | "dependsOn">,
) => Promise<Pick<RegisteredResource, "urn" | "output">>;
