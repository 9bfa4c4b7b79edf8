import type * as Yaml from "yaml";
import { lazyModule } from "./lazy-module.js";

const library = lazyModule<typeof Yaml>("yaml");

/** Aliases share values, but those who read the content see every one of them. */
const maxValues = 100_000;

/** The library reads the text of an unknown tag, such as `!!js/function`, as if the tag were not there. */
const unknownTag = "TAG_RESOLVE_FAILED";

/** @throws an error whose first line says what is wrong, and where */
export function parseYaml(text: string): unknown {
    const { LineCounter, parseDocument } = library();
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, logLevel: "error" });
    const error = document.errors[0] ?? document.warnings.find(({ code }) => code === unknownTag);
    if (error !== undefined) {
        throw error;
    }
    const lineOf = ({ range }: Yaml.Alias): number => lineCounter.linePos(range?.[0] ?? 0).line;
    assertBounded(document, lineOf);
    // Checked above: the library's own limit counts aliases, not what they stand for.
    return document.toJS({ maxAliasCount: -1 });
}

/** @throws an error with the line of an alias within its own anchor, or of one that makes the content too large */
function assertBounded(document: Yaml.Document, lineOf: (alias: Yaml.Alias) => number): void {
    const { isAlias, isCollection, isNode, isPair } = library();
    const sizes = new Map<unknown, number>();
    /** The anchors so far: an alias means the last one with its name. */
    const anchors = new Map<string, unknown>();
    const around = new Set<unknown>();
    let repeated = 0;
    const sizeOfAlias = (alias: Yaml.Alias): number => {
        const anchored = anchors.get(alias.source);
        if (around.has(anchored)) {
            throw new Error(`line ${lineOf(alias)}: the alias *${alias.source} is within its own anchor`);
        }
        const size = sizes.get(anchored) ?? 1;
        repeated += size;
        if (repeated > maxValues) {
            throw new Error(
                `line ${lineOf(alias)}: with *${alias.source}, the aliases expand to more than ${maxValues} values`,
            );
        }
        return size;
    };
    const sizeOf = (node: unknown): number => {
        if (isAlias(node)) {
            return sizeOfAlias(node);
        }
        if (isNode(node) && node.anchor !== undefined) {
            anchors.set(node.anchor, node);
        }
        if (!isPair(node) && !isCollection(node)) {
            return 1;
        }
        around.add(node);
        const parts: readonly unknown[] = isPair(node) ? [node.key, node.value] : node.items;
        const size = parts.reduce<number>((sum, part) => sum + sizeOf(part), 1);
        around.delete(node);
        sizes.set(node, size);
        return size;
    };
    sizeOf(document.contents);
}
