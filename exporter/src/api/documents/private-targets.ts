import { asRecord, isRecord } from "../../text/json-values.js";
import { groupsOf, maxSteps, nodesIn, pathItemsOf } from "./private-nodes.js";
import { endOf, type Json, nodesOnWay, operationsOf } from "./references.js";

type Node = Record<string, unknown>;

/**
 * Restricts the targets of references within a private part, such as a field of a private model, and references into a
 * private operation from outside it. This must happen before references are replaced by their
 * targets: afterwards, nothing shows that the target was within a private part.
 */
export function restrictPrivateTargets(root: Node): void {
    const around = new AroundTargets(root);
    for (const node of [...nodesIn(root)]) {
        if (Array.isArray(node)) {
            continue;
        }
        const { $ref, mapping } = node;
        for (const [key, reference] of [["$ref", $ref] as const, ...Object.entries(asRecord(mapping))]) {
            if (typeof reference !== "string") {
                continue;
            }
            if (around.leadsIntoPrivateOperation(node, reference)) {
                // The target stays for the operation's own page.
                if (reference === $ref) {
                    withoutTarget(node);
                } else {
                    delete asRecord(mapping)[key];
                }
            } else if (around.isPrivate(reference)) {
                const target = nodesOnWay(root, reference).at(-1);
                if (isRecord(target)) {
                    restrict(target);
                } else if (reference === $ref) {
                    // A list or a text cannot be marked as private, so it is lost.
                    withoutTarget(node);
                }
            }
        }
    }
}

function withoutTarget(node: Node): void {
    delete node["$ref"];
    restrict(node);
}

/** As with an empty list of groups, nobody may see the node. */
function restrict(node: Node): void {
    node["x-mint"] = { ...asRecord(node["x-mint"]), groups: [] };
}

class AroundTargets {
    /** Private operations and paths, each with the nodes that are only in private operations. */
    readonly #privateOperations: ReadonlyMap<unknown, ReadonlySet<unknown>>;
    readonly #operations: ReadonlySet<unknown>;
    readonly #found = new Map<unknown, boolean>();

    constructor(private readonly root: Node) {
        const targetOrSelf = (node: Json) => (typeof node["$ref"] === "string" ? endOf(root, node["$ref"]) : node);
        const paths = pathItemsOf(root).map(targetOrSelf).filter(isRecord);
        const nodes = paths.map((path) => [
            path,
            ...operationsOf(path)
                .map(([, node]) => targetOrSelf(node))
                .filter(isRecord),
        ]);
        this.#operations = new Set(nodes.flat());
        const hasGroups = (node: Node | undefined) => node !== undefined && groupsOf(node) !== undefined;
        // Operations of one path may have different readers, so each is restricted separately.
        const found = nodes.flatMap((ofPath) => ofPath.filter((node) => hasGroups(ofPath[0]) || hasGroups(node)));
        const outside = new Set<unknown>(found.length === 0 ? [] : nodesIn(root, new Set(found)));
        const onlyIn = (node: Node) => new Set([...nodesIn(node)].filter((each) => !outside.has(each)));
        this.#privateOperations = new Map(found.map((node) => [node, onlyIn(node)]));
    }

    /** Whether a node refers to a part of a private operation that does not contain the node. */
    leadsIntoPrivateOperation(node: Node, reference: string): boolean {
        return nodesOnWay(this.root, reference)
            .slice(0, -1)
            .map((each) => this.#privateOperations.get(each))
            .some((nodes) => nodes?.has(node) === false);
    }

    /** Whether a node around the target of a reference is private. */
    isPrivate(reference: string): boolean {
        return nodesOnWay(this.root, reference)
            .slice(0, -1)
            .some((node) => this.#isPrivate(node, 0));
    }

    #isPrivate(node: unknown, steps: number): boolean {
        if (!isRecord(node) || this.#operations.has(node)) {
            return false;
        }
        const known = this.#found.get(node);
        if (known !== undefined || steps > maxSteps) {
            return known === true;
        }
        this.#found.set(node, false);
        const { $ref } = node;
        const isPrivate =
            groupsOf(node) !== undefined ||
            (typeof $ref === "string" && nodesOnWay(this.root, $ref).some((each) => this.#isPrivate(each, steps + 1)));
        this.#found.set(node, isPrivate);
        return isPrivate;
    }
}
