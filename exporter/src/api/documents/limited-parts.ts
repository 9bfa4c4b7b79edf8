import { readGroups, type Limits } from "../../read/access/limits.js";
import { asRecord, isRecord } from "../../text/json-values.js";
import { operationsOf, type Json, modelsOf, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/** The readers that `x-mint.groups` of an operation, a field or another part names; undefined where it names none. */
export function groupsOf(node: Json): Limits["groups"] {
    return readGroups(asRecord(node["x-mint"])["groups"]);
}

/**
 * Whether any part has `x-mint.groups` or `x-mint-enum`, with which the platform shows it to some of its users only.
 */
export function hasLimitedParts(root: Node): boolean {
    for (const node of nodesIn(root)) {
        if (!Array.isArray(node) && (groupsOf(node) !== undefined || "x-mint-enum" in node)) {
            return true;
        }
    }
    return false;
}

/**
 * The document without what `x-mint.groups` and `x-mint-enum` keep from some readers: fields, parameters, variants and
 * models
 * with their names in lists and examples, and values of enums. Operations stay, because each is its own page.
 */
export function withoutLimitedParts(whole: Json): { root: Node; models: ReadonlySet<string> } {
    return new LimitedParts(whole).remove();
}

/** Where a schema, a parameter or a body has names of fields, or examples. */
const keysOfMentions = [
    ...["dependentSchemas", "mapping", "encoding"],
    ...["example", "examples", "default", "const", "x-default"],
];

/** Which fields require which others, by their names. */
const keysOfDependencies = ["dependentRequired", "dependencies"];

class LimitedParts {
    readonly #root: Node;
    readonly #operations = new Set<unknown>();
    /** Ids of operations for certain readers. */
    readonly #operationIds = new Set<unknown>();
    /** What examples must not show: names of removed fields, and removed values. */
    readonly #names = new Set<string>();
    readonly #values = new Set<unknown>();

    /** @param whole stays as it is: references of what is left are looked up in it */
    constructor(private readonly whole: Json) {
        this.#root = structuredClone(whole);
        const paths = ["paths", "webhooks"].flatMap((key) => Object.values(asRecord(this.#root[key])).filter(isRecord));
        for (const pathItem of paths) {
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
        const limited = models.filter(([, model]) => this.#isLimited(model)).map(([name]) => name);
        for (const node of nodesIn(this.#root)) {
            this.#removeParts(node);
        }
        for (const node of nodesIn(this.#root)) {
            this.#removeMentions(node);
        }
        return { root: this.#root, models: new Set(limited) };
    }

    #removeParts(node: Node | unknown[]): void {
        if (Array.isArray(node)) {
            node.filter((item) => this.#isLimited(item)).forEach((item) => this.#forget(item));
            node.splice(0, node.length, ...node.filter((item) => !this.#isLimited(item)));
            return;
        }
        for (const [name, value] of Object.entries(node)) {
            if (this.#isLimited(value)) {
                delete node[name];
                this.#names.add(name);
                this.#forget(value);
            }
        }
        const ofValues = node["x-mint-enum"];
        if (isRecord(ofValues)) {
            Object.keys(ofValues).forEach((value) => this.#values.add(value));
            const isShown = (value: unknown) => !Object.hasOwn(ofValues, String(value));
            node["enum"] = Array.isArray(node["enum"]) ? node["enum"].filter(isShown) : undefined;
            delete node["x-mint-enum"];
        }
    }

    /** A parameter is called what its `name` says. */
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
        if (depth > maxExampleDepth || this.#values.has(value) || this.#leadsToLimited(value)) {
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

    /** @param steps references that led to the value */
    #isLimited(value: unknown, steps = 0): boolean {
        return (
            isRecord(value) &&
            !this.#operations.has(value) &&
            (groupsOf(value) !== undefined ||
                this.#leadsToLimited(value["$ref"], steps) ||
                (value["operationId"] !== undefined && this.#operationIds.has(value["operationId"])))
        );
    }

    #leadsToLimited(reference: unknown, steps = 0): boolean {
        return (
            typeof reference === "string" &&
            steps < maxSteps &&
            this.#isLimited(targetOf(this.whole, reference), steps + 1)
        );
    }
}

/** References may lead to each other in a circle. */
const maxSteps = 20;

/** Aliases of YAML can make an example circular. */
const maxExampleDepth = 30;

/** Each object and list once, those inside of another one after it, if they are still there then. */
function* nodesIn(root: Node): Generator<Node | unknown[]> {
    const found = new Set<unknown>([root]);
    for (const value of found) {
        if (typeof value === "object" && value !== null) {
            yield value as Node | unknown[];
            Object.values(value).forEach((item) => found.add(item));
        }
    }
}
