import { decodeUri } from "@pulumi-static-export/contract";
import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import { contentOf, type DocumentFault } from "./document-content.js";
import { isNode, placesIn } from "./document-nodes.js";
import { inlineReferences } from "./inline-references.js";
import { restrictPrivateTargets } from "./private-targets.js";
import { bindDynamicReferences, pointersOfNames } from "./named-schemas.js";
import { makeTexts } from "./numbers-as-texts.js";
import { endOf, pointerPart, targetOf } from "./references.js";
import { isRecord } from "../../text/json-values.js";
import { parseJson } from "../../text/json-text.js";
import { lineOfText } from "../../text/strings.js";

type Node = Record<string, unknown>;

/** A document of an API, with the files of the site that it refers to (`$ref: pet.yaml#/Pet`). */
interface DocumentFiles {
    /** The document, with the content of the other files among its components. */
    readonly root: Node;
    /** The text of each file, by the file's name. */
    readonly texts: ReadonlyMap<string, string>;
}

/** The content of another file, and its place in the document. */
interface OtherFile {
    readonly kind: string;
    readonly model: string;
    /** Usually an object; a list or a text if the file is the whole value of a keyword. */
    readonly content: unknown;
}

/** The limit for the text of all files together, which no document written by hand reaches. */
const maxLength = 20_000_000;

/**
 * @param readText undefined if the site has no such file
 * @param isWhole includes the parts that only certain readers may see
 * @param report called with what is wrong with the text of the files, or missing from the site
 * @returns undefined for a file without an object in JSON or YAML
 */
export function readDocumentFiles(
    file: string,
    readText: (file: string) => string | undefined,
    isWhole: boolean,
    report: (fault: DocumentFault) => void,
): DocumentFiles | undefined {
    const reader = new DocumentReader(file, readText, isWhole, report);
    const root = reader.read();
    return root && { root, texts: reader.texts };
}

/** Reads a document and its other files, and puts all into one object, with references to the places there. */
class DocumentReader {
    readonly texts = new Map<string, string>();
    readonly #others = new Map<string, OtherFile | undefined>();
    readonly #names = new Map<Node, ReadonlyMap<string, string>>();
    readonly #references: { readonly from: string; readonly node: Node; readonly written: string }[] = [];
    #isFull = false;
    readonly #ofData: { readonly node: Node; readonly place: string }[] = [];
    readonly #unknown = new Map<string, { readonly from: string; count: number }>();
    #root: Node = {};
    #length = 0;

    constructor(
        private readonly file: string,
        private readonly readText: (file: string) => string | undefined,
        private readonly isWhole: boolean,
        private readonly report: (fault: DocumentFault) => void,
    ) {}

    read(): Node | undefined {
        const root = this.#objectIn(this.file);
        if (root === undefined) {
            return undefined;
        }
        this.#root = root;
        this.#follow(this.file, root);
        for (const [name, other] of this.#others) {
            this.#follow(name, other?.content);
        }
        putInto(
            root,
            [...this.#others.values()].filter((other) => other !== undefined),
        );
        const lost = this.#references.filter(({ node }) => endOf(root, String(node["$ref"])) === undefined);
        const isDynamic = [...this.texts.values()].some((text) => text.includes("$dynamicRef"));
        const unbound = (isDynamic ? bindDynamicReferences(root) : []).map((written) => ({ from: this.file, written }));
        // Pages must not show examples from other files that may belong to a part for certain readers.
        const isOpen = ![...this.texts.values()].some((text) => text.includes("x-mint"));
        this.#ofData.forEach(({ node, place }) => (node["$ref"] = isOpen ? place : node["$ref"]));
        if (!isOpen && !this.isWhole) {
            restrictPrivateTargets(root);
        }
        inlineReferences(root, isOpen);
        const faults = new Map([...lost, ...unbound].map((each) => [`${each.from} ${each.written}`, each]));
        faults.forEach(({ from, written }) => this.#reportAt(from, written, whyLost(written)));
        for (const [keyword, { from, count }] of this.#unknown) {
            const times = count === 1 ? "once" : `${count} times`;
            const reason = `the keyword ${keyword} (${times}) is not supported, and has no effect on pages`;
            const key = [`"${keyword}"`, `${keyword}:`].find((each) => this.texts.get(from)?.includes(each));
            this.#reportAt(from, key ?? keyword, reason);
        }
        return root;
    }

    #reportAt(file: string, text: string, reason: string): void {
        this.report({ file, line: lineOfText(this.texts.get(file) ?? "", text), reason });
    }

    #textOf(name: string): string | undefined {
        const text = this.texts.get(name) ?? this.readText(name);
        if (text === undefined || this.texts.has(name)) {
            return text;
        }
        // A missing file does not count.
        if (this.texts.size > 0 && this.#length + text.length > maxLength) {
            if (!this.#isFull) {
                this.#isFull = true;
                this.#reportAt(this.file, "", tooMuch);
            }
            return undefined;
        }
        this.texts.set(name, text);
        this.#length += text.length;
        return text;
    }

    #objectIn(name: string): Node | undefined {
        const content = this.#contentOf(name);
        return isRecord(content) ? content : undefined;
    }

    /** The value in a JSON or YAML file; of any other file, the text, unless it contains an object. */
    #contentOf(name: string): unknown {
        const text = this.#textOf(name);
        if (text === undefined || text.includes("\uFFFD") || /\.(?:mdx?|txt|html?)$/i.test(name)) {
            return text?.includes("\uFFFD") === true ? undefined : text;
        }
        if (name === this.file || /\.(?:json|ya?ml)$/i.test(name)) {
            return contentOf(text, (fault) => this.report({ file: name, ...fault }));
        }
        const content = contentOf(text);
        return isRecord(content) ? content : text;
    }

    #otherNamed(name: string): OtherFile | undefined {
        return getOrMake(this.#others, name, () => {
            const content = this.#contentOf(name);
            const model = posix.basename(name).replace(/\.[^.]*$/, "");
            const isThere = content !== undefined && content !== null;
            return isThere ? { kind: `x-file-${this.#others.size}`, model, content } : undefined;
        });
    }

    #follow(from: string, content: unknown): void {
        if (!isNode(content)) {
            return;
        }
        const onUnknown = (keyword: string) =>
            void (getOrMake(this.#unknown, keyword, () => ({ from, count: 0 })).count += 1);
        this.#followIn(from, content, content, false);
        makeTexts(content);
        const found = new Set<Node>();
        for (const { value, kind } of placesIn(content, onUnknown)) {
            if (!found.has(value)) {
                found.add(value);
                this.#followIn(from, value, content, kind === "data");
                // The keys of maps are names, and a reference in an example is data.
                if (kind === "any" || kind === "schema" || kind === "message") {
                    makeTexts(value);
                }
            }
        }
    }

    /** @param isData whether a reference without a target is a field of the API's data */
    #followIn(from: string, node: Node, content: Node, isData: boolean): void {
        const { $ref, externalValue, value, mapping, propertyName } = node;
        if (typeof $ref === "string") {
            const place = this.#placeOf($ref, from, content);
            if (isData) {
                this.#ofData.push({ node, place });
                return;
            }
            this.#references.push({ from, node, written: $ref });
            node["$ref"] = place;
        }
        if (typeof externalValue === "string" && value === undefined) {
            node["value"] = this.#exampleIn(externalValue, from);
        }
        if (typeof propertyName === "string" && isRecord(mapping)) {
            for (const [name, target] of Object.entries(mapping)) {
                // A target without a path is the name of a model.
                if (typeof target === "string" && /[#/.]/.test(target)) {
                    mapping[name] = this.#placeOf(target, from, content);
                }
            }
        }
    }

    /** The reference to a target's place in the document; unchanged without a target. */
    #placeOf(written: string, from: string, content: Node): string {
        const [path = "", part = ""] = written.split("#", 2);
        const name = path === "" ? from : pathOf(path, from);
        const other = name === this.file ? undefined : this.#otherNamed(name);
        if (other === undefined && name !== this.file) {
            const pointer = this.#namesIn(content).get(path);
            return pointer === undefined ? written : this.#placeOf(`#${pointer}${part}`, from, content);
        }
        const start = other === undefined ? "#" : `#/components/${other.kind}/${pointerPart(other.model)}`;
        const target = isNode(other?.content) ? other.content : this.#root;
        // The second half of a reference is a pointer, or the name of a schema.
        const isPointer = part === "" || part.startsWith("/");
        const pointer = isPointer ? part : (this.#namesIn(target).get(`#${part}`) ?? part);
        const isThere = other === undefined || pointer === "" || targetOf(other.content, `#${pointer}`) !== undefined;
        return isThere ? start + pointer : written;
    }

    #namesIn(content: Node): ReadonlyMap<string, string> {
        return getOrMake(this.#names, content, () => pointersOfNames(content));
    }

    /** The content of an example's own file; undefined if the site has no such text. */
    #exampleIn(address: string, from: string): unknown {
        const name = pathOf(address, from);
        const text = /^https?:/i.test(address) ? undefined : this.#textOf(name);
        if (text === undefined || text.includes("\uFFFD")) {
            this.#reportAt(from, address, whyLost(address));
            return undefined;
        }
        try {
            return /\.json$/i.test(name) ? parseJson(text) : text;
        } catch {
            return text;
        }
    }
}

const tooMuch = `the files of the document have more than ${maxLength} characters together, so that the targets of some references are missing from the pages: split the document into several`;

/** The path of a file that a reference names, relative to the folder of its own file, or to the site's folder. */
function pathOf(address: string, from: string): string {
    const path = decodeUri(address);
    return path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path);
}

function whyLost(reference: string): string {
    return /^https?:/i.test(reference)
        ? `the reference ${reference} leads to another server, and is not followed: put a copy into the site`
        : `the reference ${reference} has no target: that content is missing from the pages`;
}

/** Puts the content of the other files among the components. */
function putInto(root: Node, others: readonly OtherFile[]): void {
    if (others.length === 0) {
        return;
    }
    const given = isRecord(root["components"]) ? root["components"] : {};
    const { $ref } = given;
    const components = (root["components"] = typeof $ref === "string" ? {} : given);
    for (const { kind, model, content } of others) {
        components[kind] = { [model]: content };
    }
    if (typeof $ref === "string") {
        Object.assign(components, endOf(root, $ref));
    }
}
