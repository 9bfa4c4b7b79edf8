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

/** A document of an API, together with the files of the site that it refers to (`$ref: pet.yaml#/Pet`). */
export interface DocumentFiles {
    /** The document, with what the other files hold among its components. */
    readonly root: Node;
    /** The texts of all files, by their names. */
    readonly texts: ReadonlyMap<string, string>;
    /** The references that have no target, each once. */
    readonly lost: readonly LostReference[];
}

/** What another file holds, and where it is in the document. */
interface OtherFile {
    readonly kind: string;
    readonly model: string;
    readonly content: Node;
}

/** More than anybody writes by hand. */
const maxFiles = 1000;
const maxLength = 20_000_000;

/** Within them, `$ref` is a field of the API's data. */
const data = new Set(["example", "examples", "value", "default", "const", "enum"]);

const yaml = lazyModule<typeof Yaml>("yaml");

/**
 * @param readText undefined for what is no file of the site
 * @returns undefined for a file that holds no object in JSON or YAML
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

    /** Has the references of a file lead to where their targets stand in the document. */
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
 * Lists of paths and of components, and paths, may be files of their own. They are looked up by their names, so they
 * are put in place.
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

/** What a file in JSON or YAML holds; undefined for any other file. */
export function contentOf(text: string): unknown {
    try {
        return /^\s*[{[]/.test(text)
            ? JSON.parse(text)
            : yaml().parse(text, { maxAliasCount: 1000, logLevel: "silent" });
    } catch {
        return undefined;
    }
}
