import { posix } from "node:path";
import { contentOf } from "../../../../exporter/src/api/documents/document-content.js";
import { jsonOf } from "../../../../exporter/src/text/json-text.js";
import { type Files } from "../../support/site-fixture.js";

type Json = Record<string, unknown>;

export type KindOfPart = "property" | "parameter" | "enum value" | "description" | "example";

/** A part of a document that readers must find, with the words that identify it on pages. */
interface CountedPart {
    readonly kind: KindOfPart;
    /** The file, and the JSON pointer of the part. */
    readonly place: string;
    readonly words: readonly string[];
}

export interface CountedDocument {
    /** The document's files, with a different word in each name, value and text. */
    readonly files: Files;
    readonly parts: readonly CountedPart[];
}

/** Keywords whose values map names to objects. */
const maps = new Set(
    (
        "properties patternProperties definitions $defs dependentSchemas schemas responses parameters headers examples " +
        "requestBodies securitySchemes links callbacks pathItems paths webhooks content encoding variables mapping " +
        "channels operations messages"
    ).split(" "),
);
const data = new Set(["example", "value", "dataValue", "serializedValue", "default", "const", "enum", "examples"]);
const methods = new Set("get put post delete options head patch trace query".split(" "));

/**
 * Marks all parts of a document that its operations use, following references independently of the exporter. The words
 * have the form `Q12Q`, so that a part cannot be found in another part's place.
 *
 * @param entry the document's first file
 */
export function countedDocument(files: Files, entry: string): CountedDocument {
    return new Marker(files, entry).mark();
}

/** The words in a page or a warning. */
export function wordsIn(text: string): string[] {
    return text.match(/Q\d+Q/g) ?? [];
}

class Marker {
    readonly #contents = new Map<string, unknown>();
    readonly #parts: CountedPart[] = [];
    readonly #changes: (() => void)[] = [];
    readonly #known = new Set<unknown>();
    readonly #waiting: (() => void)[] = [];
    /** Names of properties that references or discriminators contain, which therefore stay as they are. */
    readonly #fixed = new Set<string>();
    #count = 0;

    constructor(
        private readonly files: Files,
        private readonly entry: string,
    ) {}

    mark(): CountedDocument {
        const root = this.#contentOf(this.entry) as Json;
        for (const key of ["paths", "webhooks", "channels", "operations"]) {
            this.#visit(root[key], this.entry, `/${key}`, "map");
        }
        this.#visitSecurity(root["security"]);
        for (const next of this.#waiting) {
            next();
        }
        this.#changes.forEach((change) => change());
        const marked = [...this.#contents].map(([name, content]) => [name, jsonOf(content, 1)]);
        return { files: { ...this.files, ...(Object.fromEntries(marked) as Files) }, parts: this.#parts };
    }

    #contentOf(file: string): unknown {
        if (!this.#contents.has(file) && this.files[file] !== undefined) {
            this.#contents.set(file, contentOf(this.files[file]));
        }
        return this.#contents.get(file);
    }

    /** Visits what is reachable in the order of the document, without recursion. */
    #visit(node: unknown, file: string, place: string, kind: "map" | "object", key = ""): void {
        this.#waiting.push(() => this.#look(node, file, place, kind, key));
    }

    #look(given: unknown, file: string, place: string, kind: "map" | "object", holder: string): void {
        if (typeof given !== "object" || given === null || this.#known.has(given)) {
            return;
        }
        this.#known.add(given);
        const node = given as Json;
        if (kind === "object" && typeof node["$ref"] === "string") {
            this.#follow(node["$ref"], file, holder);
        }
        const isPathItem = kind === "object" && Object.keys(node).some((key) => methods.has(key));
        if (isPathItem) {
            replacedParameters(node).forEach((parameter) => this.#known.add(parameter));
        }
        if (kind === "object" && !Array.isArray(node)) {
            this.#markObject(node, `${file}#${place}`, holder, isPathItem);
        }
        for (const [key, value] of Object.entries(node)) {
            const below = `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
            if (kind === "map" || Array.isArray(node)) {
                this.#visit(value, file, below, "object", `${holder}/`);
            } else if (key === "mapping") {
                this.#followMapping(value, file);
            } else if (key === "security") {
                this.#visitSecurity(value);
            } else if (key.startsWith("x-") || key === "externalDocs" || key === "tags") {
                continue;
            } else if (maps.has(key) && typeof value === "object" && !Array.isArray(value)) {
                const isRefToMap = typeof (value as Json | null)?.["$ref"] === "string" && key !== "properties";
                this.#visit(value, file, below, isRefToMap ? "object" : "map", key);
            } else if (!data.has(key)) {
                this.#visit(value, file, below, "object", key);
            }
        }
    }

    #visitSecurity(given: unknown): void {
        const schemes = ((this.#contentOf(this.entry) as Json)["components"] as Json | undefined)?.["securitySchemes"];
        for (const choice of Array.isArray(given) ? (given as Json[]) : []) {
            for (const name of Object.keys(choice)) {
                const scheme = (schemes as Json | undefined)?.[name];
                this.#visit(scheme, this.entry, `/components/securitySchemes/${name}`, "object");
            }
        }
    }

    #follow(reference: string, file: string, holder: string): void {
        const [path = "", pointer = ""] = reference.split("#", 2);
        const target = path === "" ? file : posix.join(posix.dirname(file), path);
        const keys = pointer.split("/").slice(1).map(decoded);
        keys.forEach((key, at) => keys[at - 1] === "properties" && this.#fixed.add(key));
        const found = keys.reduce<unknown>(
            (node, key) => (typeof node === "object" && node !== null ? (node as Json)[key] : undefined),
            this.#contentOf(target),
        );
        // A reference in the place of a map, such as all properties.
        this.#visit(found, target, pointer, maps.has(holder) && isMapOf(found) ? "map" : "object", holder);
    }

    #followMapping(mapping: unknown, file: string): void {
        for (const target of Object.values((mapping ?? {}) as Json)) {
            if (typeof target === "string" && /[#/.]/.test(target)) {
                this.#follow(target, file, "");
            }
        }
    }

    #markObject(node: Json, place: string, holder: string, isPathItem: boolean): void {
        const { description, properties, name } = node;
        if (typeof description === "string" && description.trim() !== "" && !isPathItem && holder !== "examples/") {
            const word = this.#part("description", `${place}/description`);
            const space = /\n\s*\S/.test(description) ? "\n\n" : " ";
            this.#changes.push(() => (node["description"] = description.trimEnd() + space + word));
        }
        if (typeof properties === "object" && properties !== null && !("$ref" in properties && isText(properties))) {
            this.#markProperties(node, properties as Json, place);
        }
        const discriminator = (node["discriminator"] as Json | undefined)?.["propertyName"];
        if (typeof discriminator === "string") {
            this.#fixed.add(discriminator);
        }
        if (typeof name === "string" && typeof node["in"] === "string" && node["type"] !== "apiKey") {
            const isIgnored = /^(?:accept|content-type|authorization)$/i.test(name);
            if (node["in"] !== "path" && node["in"] !== "body" && !isIgnored) {
                const word = this.#part("parameter", `${place}/name`);
                this.#changes.push(() => (node["name"] = `${name}_${word}`));
            }
        }
        this.#markValues(node, place);
    }

    #markProperties(node: Json, properties: Json, place: string): void {
        const words = new Map(Object.keys(properties).map((key) => [key, `Q${++this.#count}Q`]));
        this.#changes.push(() => {
            const entries = Object.entries(properties);
            entries.forEach(([key]) => delete properties[key]);
            const renamed = (key: string) =>
                words.has(key) && !this.#fixed.has(key) ? `${key}_${words.get(key) ?? ""}` : key;
            entries.forEach(([key, value]) => (properties[renamed(key)] = value));
            if (Array.isArray(node["required"])) {
                node["required"] = (node["required"] as string[]).map(renamed);
            }
            for (const [key, word] of words) {
                if (!this.#fixed.has(key)) {
                    this.#parts.push({ kind: "property", place: `${place}/properties/${key}`, words: [word] });
                }
            }
        });
    }

    #markValues(node: Json, place: string): void {
        const values = node["enum"];
        if (Array.isArray(values)) {
            values.forEach((value: unknown, at) => {
                if (typeof value === "string") {
                    const word = this.#part("enum value", `${place}/enum/${String(at)}`);
                    this.#changes.push(() => (values[at] = `${value}_${word}`));
                }
            });
        }
        for (const key of ["example", "value", "examples"]) {
            if (node[key] !== undefined && (key !== "examples" || Array.isArray(node[key]))) {
                const words: string[] = [];
                const marked = withWords(node[key], () => {
                    const word = `Q${++this.#count}Q`;
                    words.push(word);
                    return word;
                });
                if (words.length > 0) {
                    this.#parts.push({ kind: "example", place: `${place}/${key}`, words });
                    this.#changes.push(() => (node[key] = marked));
                }
            }
        }
    }

    #part(kind: KindOfPart, place: string): string {
        const word = `Q${++this.#count}Q`;
        this.#parts.push({ kind, place, words: [word] });
        return word;
    }
}

/** The parameters of a path that each of its operations replaces. */
function replacedParameters(pathItem: Json): unknown[] {
    const operations = Object.entries(pathItem).flatMap(([key, value]) => (methods.has(key) ? [value as Json] : []));
    return parametersOf(pathItem).filter(({ name, in: place }) =>
        operations.every((operation) =>
            parametersOf(operation).some((each) => each["name"] === name && each["in"] === place),
        ),
    );
}

function parametersOf({ parameters }: Json): Json[] {
    return Array.isArray(parameters) ? (parameters as Json[]) : [];
}

function isText(properties: object): boolean {
    return typeof (properties as Json)["$ref"] === "string";
}

function isMapOf(value: unknown): boolean {
    return (
        typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "object")
    );
}

/** A value whose texts end in a word. */
function withWords(value: unknown, word: () => string): unknown {
    if (typeof value === "string") {
        return `${value}_${word()}`;
    }
    if (Array.isArray(value)) {
        return value.map((item) => withWords(item, word));
    }
    return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWords(item, word)]))
        : value;
}

function decoded(part: string): string {
    return decodeURIComponent(part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
