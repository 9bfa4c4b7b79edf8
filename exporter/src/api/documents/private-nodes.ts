import { readGroups, type ReadersSettings } from "../../read/readers/readers-settings.js";
import { plainText } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { operationsOf, type Json, modelsOf, targetOf } from "./references.js";

type Node = Record<string, unknown>;

/**
 * The readers in `x-mint.groups` of an operation, a field or another part; undefined if the key is missing, and
 * "nobody" if it is misspelled.
 */
export function groupsOf(node: Json): ReadersSettings["groups"] {
    const settings = node["x-mint"];
    if (!isRecord(settings)) {
        return undefined;
    }
    const isMisspelled = Object.keys(settings).some((key) => key !== "groups" && /^\s*groups?\s*$/i.test(key));
    return isMisspelled ? "nobody" : readGroups(settings["groups"]);
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
    /** Operations that only certain readers may see, in the unchanged document, and their ids. */
    readonly #privateOperations = new Set<unknown>();
    readonly #operationIds = new Set<unknown>();
    readonly #models: ReadonlySet<string>;
    readonly #securitySchemes: ReadonlySet<string>;
    readonly #removed: Node[] = [];
    /** Whether a node is private. Schemas can share parts, so that the same node is reached in many ways. */
    readonly #found = new Map<Node, boolean>();
    /** Names and values that examples must not show, because they were removed. */
    readonly #names = new Set<string>();
    readonly #values = new Set<unknown>();

    /** @param whole the unchanged document, in which the remaining references are resolved */
    constructor(private readonly whole: Json) {
        this.#root = structuredClone(whole);
        for (const pathItem of pathItemsOf(this.#root)) {
            this.#operations.add(pathItem);
            operationsOf(pathItem).forEach(([, node]) => this.#operations.add(node));
        }
        for (const pathItem of pathItemsOf(whole)) {
            for (const [, node] of operationsOf(pathItem)) {
                if ((groupsOf(node) ?? groupsOf(pathItem)) !== undefined) {
                    this.#privateOperations.add(node);
                    this.#operationIds.add(node["operationId"]);
                }
            }
        }
        this.#models = this.#privateNamesIn(modelsOf(whole));
        this.#securitySchemes = this.#privateNamesIn({
            ...asRecord(whole["securityDefinitions"]),
            ...asRecord(asRecord(whole["components"])["securitySchemes"]),
        });
    }

    #privateNamesIn(parts: unknown): ReadonlySet<string> {
        const entries = Object.entries(asRecord(parts)).filter(([, part]) => this.#isPrivate(part));
        return new Set(entries.map(([name]) => name));
    }

    remove(): { root: Node; models: ReadonlySet<string> } {
        for (const node of nodesIn(this.#root)) {
            this.#removeParts(node);
        }
        // A removed part's fields, such as those of a variant, are also in examples around it.
        const shown = fieldsIn(this.#root);
        const lost = [...fieldsIn({ removed: this.#removed })].filter((name) => !shown.has(name));
        lost.forEach((name) => this.#names.add(name));
        for (const node of nodesIn(this.#root)) {
            this.#removeMentions(node);
        }
        return { root: this.#root, models: this.#models };
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
        this.#removeCallbacks(asRecord(node["callbacks"]));
        this.#removeValues(node);
    }

    /** Removes callbacks with private operations only: the name and the address of a callback describe it, too. */
    #removeCallbacks(callbacks: Node): void {
        for (const [name, callback] of Object.entries(callbacks).filter(hasRecord)) {
            for (const [address, pathItem] of Object.entries(callback).filter(hasRecord)) {
                const operations = operationsOf(pathItem);
                if (operations.length > 0 && operations.every(([, node]) => this.#isPrivate(node))) {
                    delete callback[address];
                    this.#forget(pathItem);
                }
            }
            if (Object.keys(callback).length === 0) {
                delete callbacks[name];
            }
        }
    }

    /** Removes private values, and their names and descriptions (`x-enum-varnames`). */
    #removeValues(node: Node): void {
        const { "x-mint-enum": ofValues, enum: values } = node;
        if (!isRecord(ofValues)) {
            return;
        }
        // Values may be integers of any size.
        const isShown = (value: unknown) => value === null || !Object.hasOwn(ofValues, plainText(value));
        const hidden = listOf(values).filter((value) => !isShown(value));
        [...Object.keys(ofValues), ...hidden].forEach((value) => this.#values.add(value));
        node["enum"] = Array.isArray(values) ? values.filter(isShown) : undefined;
        delete node["x-mint-enum"];
        for (const [key, texts] of Object.entries(node).filter(([name]) => name.startsWith("x-enum"))) {
            if (Array.isArray(texts)) {
                node[key] = texts.filter((_, index) => isShown(listOf(values)[index]));
            } else if (isRecord(texts)) {
                node[key] = Object.fromEntries(Object.entries(texts).filter(([value]) => isShown(value)));
            }
        }
    }

    /** Records the names in a removed part: the `name` of a parameter, and, later, the fields within the part. */
    #forget(value: unknown): void {
        if (isRecord(value)) {
            this.#removed.push(value);
            if (typeof value["name"] === "string") {
                this.#names.add(value["name"]);
            }
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
        const { security, mapping, propertyName } = node;
        if (Array.isArray(security)) {
            node["security"] = security.flatMap((choice) => this.#openSchemes(choice));
        }
        if (isRecord(mapping) && typeof propertyName === "string") {
            const shown = Object.entries(mapping).filter(([, target]) => !this.#models.has(String(target)));
            node["mapping"] = Object.fromEntries(shown);
        }
        for (const key of keysOfMentions) {
            if (node[key] !== undefined) {
                node[key] = this.#withoutMentions(node[key]);
            }
        }
    }

    /** The public schemes of one way to authenticate, if any: without schemes, the way would mean no authentication. */
    #openSchemes(choice: unknown): unknown[] {
        const schemes = Object.entries(asRecord(choice));
        const open = schemes.filter(([name]) => !this.#securitySchemes.has(name));
        return open.length === schemes.length ? [choice] : open.length === 0 ? [] : [Object.fromEntries(open)];
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

    /** @param steps the number of references and combined schemas that were followed to reach the value */
    #isPrivate(value: unknown, steps = 0): boolean {
        if (!isRecord(value) || this.#operations.has(value) || steps > maxSteps) {
            return false;
        }
        const known = this.#found.get(value);
        if (known !== undefined) {
            return known;
        }
        this.#found.set(value, false);
        const isPrivate =
            groupsOf(value) !== undefined ||
            this.#leadsToPrivate(value["$ref"], steps) ||
            this.#consistsOfPrivate(value, steps) ||
            this.#isOfPrivateOperation(value);
        this.#found.set(value, isPrivate);
        return isPrivate;
    }

    #leadsToPrivate(reference: unknown, steps = 0): boolean {
        return typeof reference === "string" && this.#isPrivate(targetOf(this.whole, reference), steps + 1);
    }

    /** In OpenAPI 3.0, `allOf` adds a description to a reference; in 3.1, `oneOf` adds null. */
    #consistsOfPrivate({ allOf, oneOf, anyOf, properties }: Node, steps: number): boolean {
        const parts = [allOf, oneOf, anyOf].flatMap(listOf).filter((part) => asRecord(part)["type"] !== "null");
        return parts.length > 0 && properties === undefined && parts.every((part) => this.#isPrivate(part, steps + 1));
    }

    /** Whether a link leads to a private operation, or a callback has its id. */
    #isOfPrivateOperation({ operationId, operationRef }: Node): boolean {
        // The reference may begin with the document's own address.
        const [, pointer = ""] = typeof operationRef === "string" ? operationRef.split("#") : [];
        return (
            (operationId !== undefined && this.#operationIds.has(operationId)) ||
            this.#privateOperations.has(targetOf(this.whole, `#${pointer}`))
        );
    }
}

/** The number of steps from one schema to another, which no document written by hand reaches. */
export const maxSteps = 200;

/** YAML aliases can make an example circular. */
const maxExampleDepth = 30;

function hasRecord(entry: [string, unknown]): entry is [string, Node] {
    return isRecord(entry[1]);
}

/** The names of all fields in the schemas of a document or a part. */
function fieldsIn(root: Node): ReadonlySet<string> {
    const names = new Set<string>();
    for (const node of nodesIn(root)) {
        Object.keys(Array.isArray(node) ? {} : asRecord(node["properties"])).forEach((name) => names.add(name));
    }
    return names;
}

/** The paths and webhooks of a document, some of which may be references. */
export function pathItemsOf(root: Json): Node[] {
    return ["paths", "webhooks"].flatMap((key) => Object.values(asRecord(root[key])).filter(isRecord));
}

/**
 * Yields each object and list once, outer ones first, and skips inner ones that the caller has removed meanwhile.
 *
 * @param skipped nodes to skip, with everything that only they contain
 */
export function* nodesIn(root: Node, skipped?: ReadonlySet<unknown>): Generator<Node | unknown[]> {
    const found = new Set<unknown>([root]);
    for (const value of found) {
        if (typeof value === "object" && value !== null && skipped?.has(value) !== true) {
            yield value as Node | unknown[];
            Object.values(value).forEach((item) => found.add(item));
        }
    }
}
