import { type HastNode } from "satteri";
import { isNothing, parseExpression } from "../../text/script-parser.js";
import {
    EngineValue,
    isValueRecord,
    Scope,
    textOfValue,
    UnsupportedExpressionError,
    type Value,
} from "../../text/script-value.js";
import { staticValue } from "../../text/static-value.js";
import { childrenOf, isExpression, isJsx, type JsxNode } from "../../text/syntax-tree.js";
import { components } from "../../components/components.js";
import { inline } from "../../components/markdown-text.js";
import { isOwnComponent, isShownInLine, isWrapper, textRulesOf } from "./element-texts.js";
import { ShownText } from "./shown-text.js";

type Replaced = Extract<HastNode, { type: `mdx${string}` }>;

/** A page after its code has run. */
interface ShownPage {
    readonly root: HastNode;
    /** The MDX that the positions of the tree's nodes refer to. */
    readonly text: string;
    /** The number of characters of the front matter in `text`. */
    readonly start: number;
    /** Returns the HTML of a component or an expression of the page. */
    readonly htmlOf: (node: HastNode) => string | undefined;
    /** Whether the page, or a file that it imports, defines a component. */
    readonly defines: (name: string) => boolean;
    /** Returns the address that the page's author wrote for the address of a link in the HTML. */
    readonly writtenLink: (href: string) => string;
}

/**
 * Writes the Markdown of a page's body for programs: its source, with text in place of components, and what the page's
 * code shows.
 *
 * @returns undefined for plain Markdown
 */
export function textForAgents(page: ShownPage): string | undefined {
    const nodes = childrenOf(page.root);
    return replacedIn(nodes).next().done ? undefined : new PageText(page).of(nodes);
}

/** The number of characters around a component that decide its place, so that a long line takes linear time. */
const maxLookedAt = 200;

class PageText {
    readonly #shown: ShownText;
    readonly #source: string;

    constructor(private readonly page: ShownPage) {
        this.#shown = new ShownText(page.writtenLink);
        this.#source = page.text;
    }

    of(nodes: readonly HastNode[]): string {
        return this.#between(this.page.start, this.#source.length, nodes);
    }

    /**
     * Writes a range of the source, with text in place of everything that is not Markdown.
     * @param areBlocks whether there is nothing but components, so that none is a part of a sentence
     */
    #between(from: number, to: number, nodes: readonly HastNode[], areBlocks = false): string {
        let out = "";
        let at = from;
        let afterBlock: "list" | "other" | undefined;
        let prefix = "";
        const numbers = new Map<string, number>();
        // Footnotes are at the end of the tree.
        const replaced = [...replacedIn(nodes)].sort(([one], [other]) => rangeOf(one)[0] - rangeOf(other)[0]);
        for (const [node, isInCell] of replaced) {
            const [start, end] = rangeOf(node);
            if (start < at || end > to) {
                continue;
            }
            const name = "name" in node ? (node.name ?? "") : "";
            numbers.set(name, (numbers.get(name) ?? 0) + 1);
            const shown = this.#textOf(node, name, numbers.get(name) as number, areBlocks);
            const text = isInCell ? shown.replace(/(?<!\\)\|/g, "\\|") : shown;
            const before = this.#source.slice(at, start);
            at = end;
            const isInLine = node.type === "mdxTextExpression" || node.type === "mdxJsxTextElement";
            const isNext = afterBlock !== undefined && /^[ \t]*$/.test(before);
            if (!isNext) {
                const looked = this.#source.slice(Math.max(from, start - maxLookedAt), start);
                prefix = areBlocks ? "" : looked.slice(looked.lastIndexOf("\n") + 1);
            }
            if (!areBlocks && (isInLine || !/^[ \t]*$/.test(prefix))) {
                out = joinText(out, before, afterBlock, false) + indented(isInLine ? inline(text) : text, prefix);
                afterBlock = undefined;
                continue;
            }
            const above = areBlocks ? before : before.slice(0, before.lastIndexOf("\n") + 1);
            out = joinText(out, above.trimEnd(), afterBlock, true);
            if (text.trim() !== "") {
                const kind = textRulesOf(name)?.isListed ? "list" : "other";
                const isItem = kind === "list" && afterBlock === "list" && before.trim() === "";
                out += `${out === "" ? "" : isItem ? "\n" : "\n\n"}${prefix}${indented(text.trim(), prefix)}`;
                afterBlock = kind;
            } else {
                afterBlock ??= "other";
            }
        }
        return joinText(out, this.#source.slice(at, to), afterBlock, true);
    }

    #textOf(node: Replaced, name: string, number: number, isBlock: boolean): string {
        if (isExpression(node)) {
            return isNothing(node.value) ? "" : (this.#shownText(node) ?? this.#sourceOf(node));
        }
        return isJsx(node) ? this.#textOfElement(node, name, number, isBlock) : "";
    }

    #shownText(node: HastNode): string | undefined {
        const html = this.page.htmlOf(node);
        return html === undefined ? undefined : this.#shown.of(html);
    }

    #textOfElement(node: JsxNode, name: string, number: number, isBlock: boolean): string {
        const values = new Map(
            node.attributes.flatMap((each) =>
                each.type === "mdxJsxAttribute" ? [[each.name, valueOfAttribute(each.value)] as const] : [],
            ),
        );
        const write = name === "" ? ({ inner }: { readonly inner: string }) => inner : textRulesOf(name)?.text;
        const isInSentence = node.type === "mdxJsxTextElement" && !isShownInLine(name) && !isBlock;
        const isOwn = name !== "" && (isOwnComponent(name) || this.page.defines(name));
        const isTitled = isInSentence && node.attributes.length > 0;
        const hasCode = node.attributes.some((attribute) => needsCode(attribute, values)) || numbersCode(node);
        if (isOwn || write === undefined || (!isWrapper(name) && (isTitled || hasCode))) {
            const shown = this.#shownText(node);
            if (shown !== undefined) {
                return shown;
            }
        }
        const inner = this.#innerOf(node);
        const attribute = (...names: readonly string[]) => {
            const found = names.map((each) => values.get(each)).find((value) => value !== undefined && value !== true);
            return isValueRecord(found) || Array.isArray(found) ? undefined : textOfValue(found);
        };
        const value = (key: string) => values.get(key);
        const flag = (key: string) => values.has(key) && values.get(key) !== false && values.get(key) !== "false";
        if (isInSentence) {
            return inner || (attribute("title", "label", "name") ?? "");
        }
        return write?.({ attribute, value, flag, inner, number }) ?? this.#sourceOf(node);
    }

    #sourceOf(node: HastNode): string {
        return this.#source.slice(...rangeOf(node));
    }

    /** The content of an element, without the element's indentation. */
    #innerOf(node: JsxNode): string {
        const children = node.children.filter(({ position }) => position !== undefined);
        const [first] = children;
        if (first === undefined) {
            return "";
        }
        const [start] = rangeOf(first);
        const [, end] = rangeOf(children.at(-1) ?? first);
        const lineStart = this.#source.lastIndexOf("\n", start - 1) + 1;
        const before = this.#source.slice(lineStart, start);
        const isOwnLine = /^[ \t>]*$/.test(before);
        const areBlocks = children.some(isBlock) && children.every(isCodeOrSpace);
        const text = this.#between(isOwnLine ? lineStart : start, end, children, areBlocks);
        const columns = children.flatMap(({ position }) => (position === undefined ? [] : [position.start]));
        const ofLines = columns.filter(({ line }) => line !== first.position?.start.line || isOwnLine);
        const width = Math.min(...ofLines.map(({ column }) => column - 1));
        return width > 0 && Number.isFinite(width)
            ? text.replace(new RegExp(`^[ \\t>]{1,${width}}`, "gm"), "").trim()
            : text.trim();
    }
}

/** Returns the range of a node in the source. Nodes without a position were added to the tree. */
function rangeOf({ position }: HastNode): [start: number, end: number] {
    return [position?.start.offset ?? -1, position?.end.offset ?? -1];
}

/** Yields the outermost nodes that are not Markdown, and whether they are in a cell of a table. */
function* replacedIn(nodes: readonly HastNode[], isInCell = false): Generator<readonly [Replaced, boolean]> {
    for (const node of nodes) {
        if (isReplaced(node)) {
            yield [node, isInCell];
        } else {
            yield* replacedIn(childrenOf(node), isInCell || isCell(node));
        }
    }
}

function isCell(node: HastNode): boolean {
    return node.type === "element" && (node.tagName === "td" || node.tagName === "th");
}

function isReplaced(node: HastNode): node is Replaced {
    return isJsx(node)
        ? node.name === null || textRulesOf(node.name) !== undefined || holdsCode(node)
        : isExpression(node) || node.type === "mdxjsEsm";
}

/** Whether an element, such as a table, has content that only the page's code knows. */
function holdsCode(node: HastNode): boolean {
    return childrenOf(node).some(
        (child) =>
            (isExpression(child) && !isNothing(child.value)) ||
            (isJsx(child) && isOwnComponent(child.name ?? "div")) ||
            holdsCode(child),
    );
}

function isCodeOrSpace(node: HastNode): boolean {
    return isJsx(node) || isExpression(node) || (node.type === "text" && node.value.trim() === "");
}

/** Whether an element in a line shows more than a part of the line. */
function isBlock(node: HastNode): boolean {
    return (
        node.type === "mdxJsxTextElement" && isReplaced(node) && !isShownInLine(node.name ?? "") && node.name !== "span"
    );
}

function valueOfAttribute(value: JsxNode["attributes"][number]["value"] | null | undefined): Value {
    if (value === null || value === undefined) {
        return true;
    }
    return typeof value === "string" ? value : valueOf(value.value);
}

/** @returns undefined if code has to run */
function valueOf(code: string): Value {
    try {
        const value = staticValue(parseExpression(code).node, new Scope());
        return value instanceof EngineValue ? undefined : value;
    } catch (error) {
        if (error instanceof UnsupportedExpressionError) {
            return undefined;
        }
        throw error;
    }
}

/** Whether a page must run code to show an attribute. @param values the attributes' values, as far as they are known */
function needsCode(attribute: JsxNode["attributes"][number], values: ReadonlyMap<string, Value>): boolean {
    return (
        attribute.type !== "mdxJsxAttribute" ||
        (values.get(attribute.name) === undefined && !/^(?:on[A-Z]|icon$|style$|className$)/.test(attribute.name))
    );
}

/** Whether a list numbers entries that only the page's code knows. */
function numbersCode({ name, children }: JsxNode): boolean {
    return (
        components.get(name ?? "")?.isNumbered === true &&
        children.some((child) => isExpression(child) && !isNothing(child.value))
    );
}

/** Joins Markdown with blank lines around blocks. @param isEnd whether no text can follow on the same line */
function joinText(out: string, text: string, afterBlock: "list" | "other" | undefined, isEnd: boolean): string {
    if (afterBlock === undefined) {
        return out + text;
    }
    const rest = text.replace(/^(?:[ \t]*\n)+/, "");
    return out === "" || (isEnd && rest.trim() === "") ? out + (out === "" ? rest : "") : `${out}\n\n${rest}`;
}

/** Indents all lines after the first, within the same quotes. */
function indented(text: string, prefix: string): string {
    return text.replace(/\n(?=[^\n])/g, `\n${prefix.replace(/[^>\s]/g, " ")}`);
}
