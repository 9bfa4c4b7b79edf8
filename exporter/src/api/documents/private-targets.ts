import { asRecord, isRecord } from "../../text/json-values.js";
import { groupsOf, nodesIn, pathItemsOf } from "./private-nodes.js";
import { endOf, type Json, operationsOf, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/**
 * Restricts what references lead to within a private part, such as a field of a private model. This must happen before
 * references are replaced by their targets: afterwards, nothing shows that the target was within a private part.
 */
export function restrictPrivateTargets(root: Node): void {
    const operations = operationsIn(root);
    for (const node of [...nodesIn(root)]) {
        if (Array.isArray(node)) {
            continue;
        }
        const { $ref, mapping } = node;
        for (const reference of [$ref, ...Object.values(asRecord(mapping))]) {
            if (typeof reference === "string" && isWithinPrivate(root, reference, operations)) {
                const target = targetOf(root, reference);
                if (isRecord(target)) {
                    restrict(target);
                } else if (reference === $ref) {
                    // A list or a text cannot be marked as private, so it is lost.
                    delete node["$ref"];
                    restrict(node);
                }
            }
        }
    }
}

/** As with an empty list of groups, nobody may see the node. */
function restrict(node: Node): void {
    node["x-mint"] = { ...asRecord(node["x-mint"]), groups: [] };
}

/** The operations and their paths. A part of a private operation stays public where a public operation refers to it. */
function operationsIn(root: Json): ReadonlySet<unknown> {
    const targetOrSelf = (node: Json) => (typeof node["$ref"] === "string" ? endOf(root, node["$ref"]) : node);
    const paths = pathItemsOf(root).map(targetOrSelf).filter(isRecord);
    return new Set([...paths, ...paths.flatMap((path) => operationsOf(path).map(([, node]) => targetOrSelf(node)))]);
}

/** Whether a node around the target of a reference is private. */
function isWithinPrivate(root: Json, reference: string, operations: ReadonlySet<unknown>): boolean {
    const isPrivate = (node: unknown, steps: number): boolean =>
        isRecord(node) &&
        !operations.has(node) &&
        (groupsOf(node) !== undefined ||
            (typeof node["$ref"] === "string" &&
                steps < maxSteps &&
                nodesOnWay(root, node["$ref"]).some((each) => isPrivate(each, steps + 1))));
    return nodesOnWay(root, reference)
        .slice(0, -1)
        .some((node) => isPrivate(node, 0));
}

/** The nodes that a reference passes, the document first and the target last. */
function nodesOnWay(root: Json, reference: string): unknown[] {
    const parts = reference.split("/");
    return parts.map((_, index) => targetOf(root, parts.slice(0, index + 1).join("/")));
}

/** References may be circular. */
const maxSteps = 20;
