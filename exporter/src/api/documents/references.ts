import { decodeUri } from "@pulumi-static-export/contract";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";

export type Json = Readonly<Record<string, unknown>>;

/** The document in which references are resolved. */
export interface HasRoot {
    readonly root: Json;
}

/** Follows `$ref` within the document, through several references if necessary; undefined without a target. */
export function resolveReference(document: HasRoot, value: unknown): Json | undefined {
    let current = value;
    for (let steps = 0; steps < 20; steps += 1) {
        if (!isRecord(current)) {
            return undefined;
        }
        const reference = current["$ref"];
        if (typeof reference !== "string") {
            return current;
        }
        const target = targetOf(document.root, reference);
        // OpenAPI 3.1 allows a description next to a reference.
        const { $ref, ...own } = current;
        void $ref;
        current = isRecord(target) && Object.keys(own).length > 0 ? { ...target, ...own } : target;
    }
    return undefined;
}

/** The schemas of a document's components, by their names. */
export function modelsOf(root: Json): Json {
    return asRecord(asRecord(root["components"])["schemas"]);
}

/** The reference to a model. */
export function referenceTo(name: string): string {
    return `#/components/schemas/${pointerPart(name)}`;
}

/** The entries of an object with their references resolved, except references without a target. */
export function entriesOf(document: HasRoot, value: unknown): [name: string, node: Json][] {
    return Object.entries(asRecord(value)).flatMap(([name, given]): [string, Json][] => {
        const node = resolveReference(document, given);
        return node === undefined ? [] : [[name, node]];
    });
}

/** The maximum number of parts of a schema, which only circular or hostile schemas reach. */
const maxParts = 200;

/** A schema, and the schemas that it consists of (`allOf`). */
export function partsOf(document: HasRoot, given: unknown): Json[] {
    const parts = [resolveReference(document, given) ?? {}];
    for (const { allOf } of parts) {
        const room = maxParts - parts.length;
        parts.push(
            ...listOf(allOf)
                .slice(0, room)
                .map((part) => resolveReference(document, part) ?? {}),
        );
    }
    return parts;
}

/** Whether a schema, or a part that it consists of, has a mark such as `readOnly`. */
export function hasMark(document: HasRoot, given: unknown, key: string): boolean {
    return partsOf(document, given).some((part) => part[key] === true);
}

/** The name of the model that a value refers to. */
export function nameOfReference(value: unknown): string | undefined {
    const reference = isRecord(value) ? value["$ref"] : undefined;
    return typeof reference === "string"
        ? nameOfPointerPart(reference.slice(reference.lastIndexOf("/") + 1))
        : undefined;
}

/** The target of a reference within the document; undefined for any other reference. */
export function targetOf(root: unknown, reference: string): unknown {
    if (reference !== "#" && !reference.startsWith("#/")) {
        return undefined;
    }
    let current: unknown = root;
    for (const part of reference.split("/").slice(1)) {
        current = partIn(current, nameOfPointerPart(part));
    }
    return current;
}

/** The nodes that a reference within the document passes, the document first; the target is last, if there is one. */
export function nodesOnWay(root: unknown, reference: string): unknown[] {
    const nodes = [root];
    for (const part of reference.startsWith("#/") ? reference.split("/").slice(1) : []) {
        nodes.push(partIn(nodes.at(-1), nameOfPointerPart(part)));
    }
    return nodes;
}

function partIn(node: unknown, key: string): unknown {
    if (Array.isArray(node)) {
        return node[Number(key)];
    }
    return isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

/** What a reference leads to, perhaps through others; undefined without a target, or if the references are circular. */
export function endOf(root: Json, reference: string): unknown {
    let current: unknown = { $ref: reference };
    for (let steps = 0; steps < 20 && isRecord(current) && typeof current["$ref"] === "string"; steps += 1) {
        current = targetOf(root, current["$ref"]);
    }
    return isRecord(current) && typeof current["$ref"] === "string" ? undefined : current;
}

/** Encodes a name as part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
    return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Decodes a part of a JSON pointer. */
export function nameOfPointerPart(part: string): string {
    return decodeUri(part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace", "query"];

const otherKeys = new Set(["$ref", "summary", "description", "servers", "parameters", "additionalOperations"]);

/** The keys of a path that are neither a method nor another keyword, but whose values look like operations. */
export function unknownMethodsOf(pathItem: Json): string[] {
    const entries = Object.entries(pathItem).filter(([key]) => !otherKeys.has(key) && !methods.includes(key));
    return entries.filter(([key, value]) => !key.startsWith("x-") && isRecord(value)).map(([key]) => key);
}

/** The operations of a path, by method; in OpenAPI 3.2, also those of other methods. */
export function operationsOf(pathItem: Json): [method: string, node: Record<string, unknown>][] {
    const usual = methods.map((method): [string, unknown] => [method, pathItem[method]]);
    const others = Object.entries(asRecord(pathItem["additionalOperations"])).filter(([name]) => /^[\w-]+$/.test(name));
    return [...usual, ...others].filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]));
}
