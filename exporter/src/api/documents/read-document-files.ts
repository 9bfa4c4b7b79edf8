import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import type * as Yaml from "yaml";
import { decodeUri } from "../../text/decode-uri.js";
import { pointerPart, resolveReference, targetOf } from "./references.js";
import { isRecord } from "../../text/json-values.js";
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

/** The keys of example data: a `$ref` there is a field of the API's data, not a reference. */
const data = new Set(["example", "examples", "value", "default", "const", "enum"]);

const yaml = lazyModule<typeof Yaml>("yaml");

/**
 * @param readText undefined if the site has no such file
 * @returns undefined for a file without an object in JSON or YAML
 */
export function readDocumentFiles(
    file: string,
    readText: (file: string) => string | undefined,
): DocumentFiles | undefined {
    const texts = new Map<string, string>();
    const others = new Map<string, OtherFile | undefined>();
    const references: { from: string; node: Node; reference: string }[] = [];
    let length = 0;

    function read(name: string): Node | undefined {
        const text = texts.size < maxFiles && length < maxLength ? readText(name) : undefined;
        const content = text === undefined ? undefined : contentOf(text);
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
    const nodes = new Set<Node>([content]);
    for (const node of nodes) {
        if (typeof node["$ref"] === "string") {
            yield node;
        }
        for (const [key, value] of Object.entries(node)) {
            if (typeof value === "object" && value !== null && !data.has(key)) {
                nodes.add(value as Node);
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

/** The content of a JSON or YAML file; undefined for any other file. */
export function contentOf(text: string): unknown {
    try {
        return /^\s*[{[]/.test(text)
            ? JSON.parse(text)
            : yaml().parse(text, { maxAliasCount: 1000, logLevel: "silent" });
    } catch {
        return undefined;
    }
}
