import { readGroups, type ReadersSettings } from "../../read/readers/readers-settings.js";
import { asRecord, isPlain, isRecord } from "../../text/json-values.js";
import { operationsOf, type Json, modelsOf, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/** The readers in `x-mint.groups` of an operation, a field or another part; undefined if the key is missing. */
export function groupsOf(node: Json): ReadersSettings["groups"] {
    return readGroups(asRecord(node["x-mint"])["groups"]);
}

/** Whether any node has `x-mint.groups` or `x-mint-enum`, which restrict it to some users of the platform. */
export function hasPrivateNodes(root: Node): boolean {
    for (const node of nodesIn(root)) {
        if (!Array.isArray(node) && (groupsOf(node) !== undefined || "x-mint-enum" in node)) {
            return true;
        }
    }
    return false;
}

/**
 * The document without the nodes that `x-mint.groups` and `x-mint-enum` restrict to some readers: fields, parameters,
 * variants, models, their names in lists and examples, and enum values. Operations remain, because each has its own
 * page.
 */
export function withoutPrivateNodes(whole: Json): { root: Node; models: ReadonlySet<string> } {
    return new PrivateNodes(whole).remove();
}

/** Keys of a schema, a parameter or a body whose values contain field names or examples. */
const keysOfMentions = [
    ...["dependentSchemas", "mapping", "encoding"],
    ...["example", "examples", "default", "const", "x-default"],
];

/** Keywords that name the fields that another field requires. */
const keysOfDependencies = ["dependentRequired", "dependencies"];

class PrivateNodes {
    readonly #root: Node;
    readonly #operations = new Set<unknown>();
    /** Ids of operations that only certain readers may see. */
    readonly #operationIds = new Set<unknown>();
    /** Names and values that examples must not show, because they were removed. */
    readonly #names = new Set<string>();
    readonly #values = new Set<unknown>();

    /** @param whole the unchanged document, in which the remaining references are resolved */
    constructor(private readonly whole: Json) {
        this.#root = structuredClone(whole);
        for (const pathItem of pathItemsOf(this.#root)) {
            this.#operations.add(pathItem);
            for (const [, node] of operationsOf(pathItem)) {
                this.#operations.add(node);
                if ((groupsOf(node) ?? groupsOf(pathItem)) !== undefined) {
                    this.#operationIds.add(node["operationId"]);
                }
            }
        }
    }

    remove(): { root: Node; models: ReadonlySet<string> } {
        const models = Object.entries(modelsOf(this.whole));
        const privateModels = models.filter(([, model]) => this.#isPrivate(model)).map(([name]) => name);
        for (const node of nodesIn(this.#root)) {
            this.#removeParts(node);
        }
        for (const node of nodesIn(this.#root)) {
            this.#removeMentions(node);
        }
        return { root: this.#root, models: new Set(privateModels) };
    }

    #removeParts(node: Node | unknown[]): void {
        if (Array.isArray(node)) {
            node.filter((item) => this.#isPrivate(item)).forEach((item) => this.#forget(item));
            node.splice(0, node.length, ...node.filter((item) => !this.#isPrivate(item)));
            return;
        }
        for (const [name, value] of Object.entries(node)) {
            if (this.#isPrivate(value)) {
                delete node[name];
                this.#names.add(name);
                this.#forget(value);
            }
        }
        const ofValues = node["x-mint-enum"];
        if (isRecord(ofValues)) {
            Object.keys(ofValues).forEach((value) => this.#values.add(value));
            const isShown = (value: unknown) => !isPlain(value) || !Object.hasOwn(ofValues, String(value));
            node["enum"] = Array.isArray(node["enum"]) ? node["enum"].filter(isShown) : undefined;
            delete node["x-mint-enum"];
        }
    }

    /** Records the field name of a removed part: the `name` of a parameter. */
    #forget(value: unknown): void {
        if (isRecord(value) && typeof value["name"] === "string") {
            this.#names.add(value["name"]);
        }
    }

    #removeMentions(node: Node | unknown[]): void {
        if (Array.isArray(node)) {
            return;
        }
        const properties = asRecord(node["properties"]);
        const isShown = (name: unknown) => !this.#names.has(String(name)) || Object.hasOwn(properties, String(name));
        const shownOf = (names: unknown) => (Array.isArray(names) ? names.filter(isShown) : names);
        if (Array.isArray(node["required"])) {
            node["required"] = node["required"].filter(isShown);
        }
        for (const key of keysOfDependencies.filter((key) => isRecord(node[key]))) {
            const shown = Object.entries(asRecord(node[key])).filter(([name]) => isShown(name));
            node[key] = Object.fromEntries(shown.map(([name, names]) => [name, shownOf(names)]));
        }
        for (const key of keysOfMentions) {
            if (node[key] !== undefined) {
                node[key] = this.#withoutMentions(node[key]);
            }
        }
    }

    #withoutMentions(value: unknown, depth = 0): unknown {
        if (depth > maxExampleDepth || this.#values.has(value) || this.#leadsToPrivate(value)) {
            return undefined;
        }
        const keep = (item: unknown): unknown[] => {
            const kept = this.#withoutMentions(item, depth + 1);
            return kept === undefined ? [] : [kept];
        };
        if (Array.isArray(value)) {
            return value.flatMap(keep);
        }
        return isRecord(value)
            ? Object.fromEntries(
                  Object.entries(value).flatMap(([name, item]) =>
                      this.#names.has(name) ? [] : keep(item).map((kept) => [name, kept]),
                  ),
              )
            : value;
    }

    /** @param steps the number of references that were followed to reach the value */
    #isPrivate(value: unknown, steps = 0): boolean {
        return (
            isRecord(value) &&
            !this.#operations.has(value) &&
            (groupsOf(value) !== undefined ||
                this.#leadsToPrivate(value["$ref"], steps) ||
                (value["operationId"] !== undefined && this.#operationIds.has(value["operationId"])))
        );
    }

    #leadsToPrivate(reference: unknown, steps = 0): boolean {
        return (
            typeof reference === "string" &&
            steps < maxSteps &&
            this.#isPrivate(targetOf(this.whole, reference), steps + 1)
        );
    }
}

/** References may be circular. */
const maxSteps = 20;

/** YAML aliases can make an example circular. */
const maxExampleDepth = 30;

/** The paths and webhooks of a document, some of which may be references. */
export function pathItemsOf(root: Json): Node[] {
    return ["paths", "webhooks"].flatMap((key) => Object.values(asRecord(root[key])).filter(isRecord));
}

/** Yields each object and list once, outer ones first, and skips inner ones that the caller has removed meanwhile. */
export function* nodesIn(root: Node): Generator<Node | unknown[]> {
    const found = new Set<unknown>([root]);
    for (const value of found) {
        if (typeof value === "object" && value !== null) {
            yield value as Node | unknown[];
            Object.values(value).forEach((item) => found.add(item));
        }
    }
}
