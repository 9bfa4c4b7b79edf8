import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from "yaml";
import { isSecretData, nameBeside, nameOfMember } from "./name-beside.js";
import { type TextValue } from "./text-value.js";

/** The values of JSON and YAML, which may consist of several documents; undefined for any other text. */
export function yamlValues(text: string): TextValue[] | undefined {
    if (!/^\s*[[{]/.test(text) && !/(^|\n)[ \t]*(- |["']?[\w$][^\n:]*:(\s|$))/.test(text)) {
        return undefined;
    }
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) {
        return undefined;
    }
    const roots = documents.map(({ contents }) => contents);
    if (!roots.some((root) => isMap(root) || isSeq(root))) {
        return undefined;
    }
    return roots.flatMap((root) => [...valuesOf(root, "", false, text)]);
}

function* valuesOf(node: unknown, name: string, isSecret: boolean, source: string): Generator<TextValue> {
    if (isMap(node)) {
        const plain = Object.fromEntries(
            node.items.map(({ key, value }): [string, unknown] => [String(plainOf(key)), plainOf(value)]),
        );
        for (const { key, value } of node.items) {
            const text = String(plainOf(key));
            yield* valuesOf(value, nameBeside(plain, text), isSecret || isSecretData(plain, text), source);
        }
    } else if (isSeq(node)) {
        const plain = node.items.map(plainOf);
        for (const [index, item] of node.items.entries()) {
            yield* valuesOf(item, nameOfMember(plain, index, name), isSecret, source);
        }
    } else if (isScalar(node) && !isAlias(node) && (typeof node.value === "string" || typeof node.value === "number")) {
        const [start, end] = (node as Node).range ?? [0, 0];
        const raw = source.slice(start, end);
        const value = typeof node.value === "string" ? node.value : raw;
        yield { start, end, name, text: value, isSecret, encode: (text) => encodeScalar(text, node, raw) };
    }
}

function plainOf(node: unknown): unknown {
    return isScalar(node) ? node.value : undefined;
}

function encodeScalar(text: string, { type }: Scalar, raw: string): string {
    if (type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED") {
        const [header = "", firstLine = ""] = raw.split(/\n(?=[ \t]*\S)/, 2);
        const [indentation = ""] = /^[ \t]*/.exec(firstLine) ?? [];
        const lines = text.split("\n").map((line) => (line === "" ? line : indentation + line));
        const block = `${header.replace(">", "|")}\n${lines.join("\n")}`;
        return raw.endsWith("\n") && !block.endsWith("\n") ? `${block}\n` : block;
    }
    if (type === "QUOTE_SINGLE" && !text.includes("\n")) {
        return `'${text.replace(/'/g, "''")}'`;
    }
    return type === "PLAIN" && /^(-?\d+(\.\d+)?|redacted-\d+)$/.test(text) ? text : JSON.stringify(text);
}
