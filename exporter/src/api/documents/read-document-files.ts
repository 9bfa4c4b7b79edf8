import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import type * as Yaml from "yaml";
import { decodeUri } from "../../text/decode-uri.js";
import { pointerPart, resolveReference, targetOf } from "./references.js";
import { isRecord } from "../../text/json-values.js";
import { integerOf, parseJson } from "../../text/json-text.js";
import { lazyModule } from "../../text/lazy-module.js";
import { lineOfText } from "../../text/strings.js";

type Node = Record<string, unknown>;

export interface LostReference {
    readonly file: string;
    readonly line: number | undefined;
    readonly reference: string;
}

/** A document of an API, with the files of the site that it refers to (`$ref: pet.yaml#/Pet`). */
export interface DocumentFiles {
    /** The document, with the content of the other files among its components. */
    readonly root: Node;
    /** The text of each file, by the file's name. */
    readonly texts: ReadonlyMap<string, string>;
    /** The references without a target, without duplicates. */
    readonly lost: readonly LostReference[];
}

/** The content of another file, and its place in the document. */
interface OtherFile {
    readonly kind: string;
    readonly model: string;
    readonly content: Node;
}

/** Limits that no document written by hand reaches. */
const maxFiles = 1000;
const maxLength = 20_000_000;

/** A mistake in the text of a file, which may have lost a part of its content. */
export interface DocumentFault {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

/** Keywords with example data: a `$ref` there is a field of the API's data, not a reference. */
const data = new Set(["example", "value", "default", "const", "enum"]);

/** Keywords whose objects have names as keys: a property may be called `example`, and a response `default`. */
const maps = new Set([
    ...["properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "schemas", "examples"],
    ...["responses", "parameters", "headers", "requestBodies", "securitySchemes", "links", "callbacks", "pathItems"],
    ...["paths", "webhooks", "content", "encoding", "variables", "channels", "messages", "operations", "servers"],
]);

/** The number of mistakes in one file that are reported. */
const maxFaults = 5;

const yaml = lazyModule<typeof Yaml>("yaml");

/**
 * @param readText undefined if the site has no such file
 * @returns undefined for a file without an object in JSON or YAML
 */
export function readDocumentFiles(
    file: string,
    readText: (file: string) => string | undefined,
    report: (fault: DocumentFault) => void,
): DocumentFiles | undefined {
    const texts = new Map<string, string>();
    const others = new Map<string, OtherFile | undefined>();
    const references: { from: string; node: Node; reference: string }[] = [];
    let length = 0;

    function read(name: string): Node | undefined {
        const text = texts.size < maxFiles && length < maxLength ? readText(name) : undefined;
        const content = text === undefined ? undefined : contentOf(text, (fault) => report({ file: name, ...fault }));
        if (text !== undefined && isRecord(content)) {
            texts.set(name, text);
            length += text.length;
            return content;
        }
        return undefined;
    }

    function otherNamed(name: string): OtherFile | undefined {
        return getOrMake(others, name, () => {
            const content = read(name);
            const model = posix.basename(name).replace(/\.[^.]*$/, "");
            return content && { kind: `x-file-${others.size}`, model, content };
        });
    }

    /** Rewrites a file's references to the places of their targets in the document. */
    function follow(from: string, content: Node): void {
        for (const node of nodesWithReference(content)) {
            const reference = String(node["$ref"]);
            references.push({ from, node, reference });
            const [path = "", pointer = ""] = reference.split("#", 2);
            const name = path === "" ? from : posix.join(posix.dirname(from), decodeUri(path));
            const other = name === file ? undefined : otherNamed(name);
            if (name === file) {
                node["$ref"] = `#${pointer}`;
            } else if (
                other !== undefined &&
                (pointer === "" || targetOf(other.content, `#${pointer}`) !== undefined)
            ) {
                node["$ref"] = `#/components/${other.kind}/${pointerPart(other.model)}${pointer}`;
            }
        }
    }

    const root = read(file);
    if (root === undefined) {
        return undefined;
    }
    follow(file, root);
    for (const [name, other] of others) {
        follow(name, other?.content ?? {});
    }
    putInto(
        root,
        [...others.values()].filter((other) => other !== undefined),
    );
    const lost = new Map<string, LostReference>();
    for (const { from, node, reference } of references) {
        if (targetOf(root, String(node["$ref"])) === undefined && !lost.has(`${from} ${reference}`)) {
            const line = lineOfText(texts.get(from) ?? "", reference);
            lost.set(`${from} ${reference}`, { file: from, line, reference });
        }
    }
    return { root, texts, lost: [...lost.values()] };
}

function* nodesWithReference(content: Node): Generator<Node> {
    // Each node, and whether its keys are names.
    const nodes = new Map<Node, boolean>([[content, false]]);
    for (const [node, hasNames] of nodes) {
        if (typeof node["$ref"] === "string") {
            yield node;
        }
        for (const [key, value] of Object.entries(node)) {
            const isList = Array.isArray(value);
            const isData = !hasNames && (data.has(key) || (key === "examples" && isList));
            if (typeof value === "object" && value !== null && !isData && !nodes.has(value as Node)) {
                nodes.set(value as Node, !hasNames && !isList && maps.has(key));
            }
        }
    }
}

/**
 * Inserts the content of other files for lists of paths, lists of components and single paths, because other code looks
 * up paths and components by name.
 */
function putInto(root: Node, others: readonly OtherFile[]): void {
    if (others.length === 0) {
        return;
    }
    const components = (root["components"] = isRecord(root["components"]) ? root["components"] : {});
    for (const { kind, model, content } of others) {
        components[kind] = { [model]: content };
    }
    for (const holder of [root, components, root["paths"], root["webhooks"], root["channels"]]) {
        for (const [key, value] of Object.entries(isRecord(holder) ? holder : {})) {
            if (isRecord(value) && typeof value["$ref"] === "string") {
                (holder as Node)[key] = resolveReference({ root }, value) ?? value;
            }
        }
    }
}

/** Decimal integers of YAML, without rounding. */
function customTags(tags: Yaml.Tags): Yaml.Tags {
    return tags.map((tag) =>
        typeof tag === "object" &&
        tag.tag === "tag:yaml.org,2002:int" &&
        (!("format" in tag) || tag.format === undefined)
            ? ({ ...tag, resolve: integerOf } as Yaml.ScalarTag)
            : tag,
    );
}

/**
 * The content of a JSON or YAML file; undefined for any other file. In a file with mistakes, the rest of the content.
 *
 * @param report called with the first mistakes
 */
export function contentOf(
    text: string,
    report: (fault: Omit<DocumentFault, "file">) => void = () => undefined,
): unknown {
    if (/^\s*[{[]/.test(text)) {
        try {
            return parseJson(text);
        } catch {
            // YAML includes JSON, and names the place of a mistake.
        }
    }
    const { LineCounter, parseDocument } = yaml();
    const lineCounter = new LineCounter();
    const options = { lineCounter, merge: true, prettyErrors: false, logLevel: "silent", customTags } as const;
    const document = parseDocument(text, options);
    for (const { message, pos } of document.errors.slice(0, maxFaults)) {
        const { line, col } = lineCounter.linePos(pos[0]);
        report({ line, reason: `column ${col}: ${message}; what this line describes may be missing from the pages` });
    }
    try {
        return document.toJS({ maxAliasCount: 1000 });
    } catch (error) {
        report({ line: undefined, reason: `the document cannot be read: ${(error as Error).message}` });
        return undefined;
    }
}
