import { asRecord, recordsOf } from "../../text/json-values.js";
import { pointerPart, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/** Pointers to the schemas that have a name (`#name` for `$anchor` and `$dynamicAnchor`) or an address (`$id`). */
export function pointersOfNames(content: Node): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const [{ $id, $anchor, $dynamicAnchor }, pointer] of pointersIn(content)) {
        for (const [name, sign] of [[$id, ""] as const, [$anchor, "#"] as const, [$dynamicAnchor, "#"] as const]) {
            if (typeof name === "string" && !names.has(sign + name)) {
                names.set(sign + name, pointer);
            }
        }
    }
    return names;
}

/**
 * Replaces `$dynamicRef`. A schema that refers to a template, and has its own definition for a name in the template,
 * becomes a copy of the template with this definition; elsewhere, a name means its first definition.
 *
 * @returns the references without a definition
 */
export function bindDynamicReferences(root: Node): string[] {
    const names = pointersOfNames(root);
    const pointers = pointersIn(root);
    for (const node of pointers.keys()) {
        const own = new Map<unknown, string>();
        for (const each of [node, ...recordsOf(Object.values(asRecord(node["$defs"])))]) {
            const { $dynamicAnchor: anchor } = each;
            if (typeof anchor === "string") {
                own.set(`#${anchor}`, `#${pointers.get(each)}`);
            }
        }
        for (const holder of [node, ...recordsOf(node["allOf"])]) {
            const { $ref, ...others } = holder;
            const copy = typeof $ref === "string" ? structuredClone(asRecord(targetOf(root, $ref))) : {};
            const open = [...pointersIn(copy).keys()].filter(({ $dynamicRef }) => own.has($dynamicRef));
            open.forEach((each) => Object.assign(each, { $ref: own.get(each["$dynamicRef"]), $dynamicRef: undefined }));
            if (open.length > 0) {
                Object.assign(holder, { ...copy, ...others }, { $ref: copy["$ref"] });
            }
        }
    }
    const references = [...pointersIn(root).keys()].filter(({ $dynamicRef }) => typeof $dynamicRef === "string");
    return references.flatMap((node) => {
        const name = String(node["$dynamicRef"]);
        const pointer = names.get(name);
        Object.assign(node, pointer !== undefined && { $ref: `#${pointer}` });
        return pointer === undefined ? [name] : [];
    });
}

/** All objects and lists, with their pointers. */
function pointersIn(content: Node): Map<Node, string> {
    const pointers = new Map([[content, ""]]);
    for (const [node, pointer] of pointers) {
        for (const [key, value] of Object.entries(node)) {
            if (typeof value === "object" && value !== null && !pointers.has(value as Node)) {
                pointers.set(value as Node, `${pointer}/${pointerPart(key)}`);
            }
        }
    }
    return pointers;
}
