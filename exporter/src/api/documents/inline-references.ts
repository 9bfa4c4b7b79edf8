import { getOrMake } from "../../text/get-or-make.js";
import { asRecord, isRecord } from "../../text/json-values.js";
import { type NodePlace, placesIn } from "./document-nodes.js";
import { endOf, nameOfPointerPart, pointerPart, resolveReference, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/**
 * Replaces the references outside of schemas by their targets, as bundlers do: operations, responses, content, lists,
 * texts and other parts. References of schemas remain, because schemas may be circular and their names are types; each
 * schema that a reference leads to becomes a model.
 * @param withExamples also replaces a reference that is the whole value of an example
 */
export function inlineReferences(root: Node, withExamples: boolean): void {
    const inlined = new Map<Node, Map<string, Node>>();
    const references: NodePlace[] = [];
    for (const place of placesIn(root)) {
        const { holder, key, value, kind } = place;
        if (typeof value["$ref"] !== "string" || (kind === "data" && !withExamples)) {
            continue;
        }
        if (kind === "schema") {
            references.push(place);
            continue;
        }
        const target = withoutReference(root, value, value["$ref"]);
        const isPart = isRecord(target) && kind !== "schemas" && !isListOfParts(root, holder);
        const isKept = root["asyncapi"] !== undefined && isPart;
        if (target !== undefined && !isKept) {
            holder[key] = target;
            inlined.set(holder, (inlined.get(holder) ?? new Map<string, Node>()).set(key, value));
        }
    }
    cutCircles(root, inlined);
    new ModelNames(root).nameTargets(references);
}

/** In AsyncAPI, a reference from one part to another says which part is meant; only lists of parts are inserted. */
function isListOfParts(root: Node, holder: Node): boolean {
    return holder === root || holder === root["components"] || holder === root["channels"];
}

function withoutReference(root: Node, value: Node, reference: string): unknown {
    const target = endOf(root, reference);
    // In OpenAPI 3.1, texts next to a reference take precedence.
    return isRecord(target) ? resolveReference({ root }, value) : target;
}

/** Restores the references that lead to a part around them: a callback may lead to its own path. */
function cutCircles(root: Node, inlined: ReadonlyMap<Node, ReadonlyMap<string, Node>>): void {
    const known = new Set<unknown>([root]);
    const around = new Set<unknown>([root]);
    const stack: { node: Node; keys: string[]; key: string }[] = [{ node: root, keys: Object.keys(root), key: "" }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const key = top.keys.pop();
        if (key === undefined) {
            around.delete(stack.pop()?.node);
            continue;
        }
        top.key = key;
        const value = top.node[key];
        if (around.has(value)) {
            const start = stack.findIndex(({ node }) => node === value);
            const cut = stack.slice(start).findLast(({ node, key: at }) => inlined.get(node)?.has(at) === true);
            if (cut !== undefined) {
                cut.node[cut.key] = inlined.get(cut.node)?.get(cut.key);
            }
        } else if (typeof value === "object" && value !== null && !known.has(value)) {
            known.add(value);
            around.add(value);
            stack.push({ node: value as Node, keys: Object.keys(value), key: "" });
        }
    }
}

/** Parts of a pointer that say nothing about the schema there. */
const isNoName = /^(?:\d+|schema|items|allOf|oneOf|anyOf|additionalProperties)$/;

/** Gives a name to each schema that references lead to, so that it can have a page, and is not taken for another. */
class ModelNames {
    readonly #prefix: string;
    readonly #names = new Map<unknown, string>();
    /** A model among these would contain itself. */
    readonly #aroundModels: ReadonlySet<unknown>;

    constructor(readonly root: Node) {
        this.#prefix = root["swagger"] === undefined ? "#/components/schemas/" : "#/definitions/";
        this.#aroundModels = nodesAround(root, this.#keysOfModels());
    }

    nameTargets(references: readonly NodePlace[]): void {
        const models = targetOf(this.root, this.#prefix.slice(0, -1));
        // A model in its own file has the name that the document's components give it.
        for (const { holder, key, value } of references) {
            const isModel = holder === models && !String(value["$ref"]).startsWith(this.#prefix);
            const target = isModel ? resolveReference(this, value) : undefined;
            holder[key] = target === undefined || this.#aroundModels.has(target) ? value : target;
        }
        Object.entries(asRecord(models)).forEach(([name, model]) => {
            if (!this.#names.has(model)) {
                this.#names.set(model, name);
            }
        });
        for (const { value } of references) {
            value["$ref"] = this.#namedReference(String(value["$ref"]));
        }
        for (const place of placesIn(this.root)) {
            const { mapping, propertyName }: Node = place.value;
            if (typeof propertyName === "string" && isRecord(mapping)) {
                for (const [name, target] of Object.entries(mapping)) {
                    mapping[name] = typeof target === "string" ? this.#namedReference(target) : target;
                }
            }
        }
    }

    #namedReference(reference: string): string {
        const isNamed = reference.startsWith(this.#prefix) && !reference.slice(this.#prefix.length).includes("/");
        const target = isNamed || !reference.startsWith("#") ? undefined : endOf(this.root, reference);
        if (!isRecord(target) || this.#aroundModels.has(target)) {
            return reference;
        }
        let name = this.#names.get(target);
        if (name === undefined) {
            name = this.#freeName(reference, target);
            this.#names.set(target, name);
            // A file may be called `__proto__`.
            Object.defineProperty(this.#models(), name, { value: target, enumerable: true, writable: true });
        }
        return this.#prefix + pointerPart(name);
    }

    #models(): Node {
        return this.#keysOfModels().reduce((holder, key) => recordIn(holder, key), this.root);
    }

    #keysOfModels(): string[] {
        return this.#prefix.split("/").slice(1, -1);
    }

    #freeName(reference: string, { title }: Node): string {
        const parts = reference.split("/").slice(1).map(nameOfPointerPart);
        const last = parts.at(-1) ?? "document";
        const isTitled = isNoName.test(last) && typeof title === "string" && title.trim() !== "";
        const models = this.#models();
        const wanted = isTitled ? title : (parts.findLast((part) => !isNoName.test(part)) ?? last);
        for (let count = 1; ; count += 1) {
            const name = count === 1 ? wanted : `${wanted}-${count}`;
            if (!Object.hasOwn(models, name)) {
                return name;
            }
        }
    }
}

/** The last existing node of a path, and all nodes that contain it: by inserted references, also parts elsewhere. */
function nodesAround(root: Node, path: readonly string[]): Set<unknown> {
    const holders = new Map<unknown, unknown[]>([[root, []]]);
    for (const [node] of holders) {
        for (const value of Object.values(node as Node)) {
            if (typeof value === "object" && value !== null) {
                getOrMake(holders, value, (): unknown[] => []).push(node);
            }
        }
    }
    let last = root;
    for (const key of path) {
        const next = last[key];
        if (!isRecord(next)) {
            break;
        }
        last = next;
    }
    const around = new Set<unknown>([last]);
    for (const node of around) {
        holders.get(node)?.forEach((holder) => around.add(holder));
    }
    return around;
}

function recordIn(holder: Node, key: string): Node {
    const found = asRecord(holder[key]);
    holder[key] = found;
    return found;
}
