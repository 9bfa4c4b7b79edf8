import { isRecord } from "../../text/json-values.js";
import { type Json } from "./references.js";

const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace"];

/** The operations of a path, by their methods. */
export function operationsOf(pathItem: Json): [method: string, node: Record<string, unknown>][] {
    return methods.flatMap((method): [string, Record<string, unknown>][] => {
        const node = pathItem[method];
        return isRecord(node) ? [[method, node]] : [];
    });
}
