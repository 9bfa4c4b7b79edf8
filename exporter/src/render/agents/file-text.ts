import { type MdastNode } from "satteri";
import { isPageFile } from "../../read/files/routes.js";
import { isNothing, parseExpression, parseModule } from "../../text/script-parser.js";
import {
    EngineValue,
    isValueRecord,
    Scope,
    textOfValue,
    UnsupportedExpressionError,
    type Value,
} from "../../text/script-value.js";
import { staticValue } from "../../text/static-value.js";
import { isListed, isShownInLine, textOfComponent } from "./component-texts.js";

type JsxElement = Extract<MdastNode, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
type Expression = Extract<MdastNode, { type: "mdxFlowExpression" | "mdxTextExpression" }>;
type Replaced = JsxElement | Expression | Extract<MdastNode, { type: "mdxjsEsm" }>;

/** The other files that a page uses. */
export interface PageTexts {
    /** The file of the site that an import names. */
    find(specifier: string, from: string): string | undefined;
    textOf(file: string): string;
    /** A snippet as Markdown. @param scope the names that it can use */
    ofSnippet(file: string, scope: Scope, depth: number): string;
}

/** The number of characters around a component that decide its place, so that a long line takes linear time. */
const maxLookedAt = 200;

/** The text of one file: its source, with text in place of its components. */
export class FileText {
    /** Imported snippets, by the names of their components. */
    readonly #snippets = new Map<string, string>();

    constructor(
        private readonly page: PageTexts,
        private readonly file: string,
        private readonly source: string,
        private readonly scope: Scope,
        private readonly depth: number,
    ) {}

    of(nodes: readonly MdastNode[]): string {
        for (const node of replacedIn(nodes)) {
            if (node.type === "mdxjsEsm") {
                this.#declare(node.value, this.file);
            }
        }
        return this.#between(0, this.source.length, nodes);
    }

    /** Declares the names that `import` and `export` lines define, unless code would have to run. */
    #declare(code: string, from: string, isImported = false): void {
        try {
            for (const statement of parseModule(code).body) {
                if (statement.type === "ImportDeclaration" && !isImported) {
                    const file = this.page.find(String(statement.source.value), from);
                    for (const { type, local } of file === undefined ? [] : statement.specifiers) {
                        if (type === "ImportDefaultSpecifier" && isPageFile(file as string)) {
                            this.#snippets.set(local.name, file as string);
                        } else if (type === "ImportSpecifier" && /\.(?:mdx?|[jt]sx?)$/.test(file as string)) {
                            this.#declareExports(file as string);
                        }
                    }
                }
                const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
                for (const { id, init } of declared?.type === "VariableDeclaration" ? declared.declarations : []) {
                    const value = init === null || init === undefined ? undefined : staticValue(init, this.scope);
                    if (id.type === "Identifier" && value !== undefined && !(value instanceof EngineValue)) {
                        this.scope.set(id.name, value);
                    }
                }
            }
        } catch (error) {
            if (!(error instanceof UnsupportedExpressionError)) {
                throw error;
            }
        }
    }

    /** Declares the constants of another file. */
    #declareExports(file: string): void {
        const text = this.page.textOf(file);
        const code = isPageFile(file) ? (text.match(/^export const [^\n]*$/gm) ?? []).join("\n") : text;
        this.#declare(code, file, true);
    }

    /** Writes a range of the source, with text in place of everything that is not Markdown. */
    #between(from: number, to: number, nodes: readonly MdastNode[]): string {
        let out = "";
        let at = from;
        let afterBlock: "list" | "other" | undefined;
        const numbers = new Map<string, number>();
        for (const node of replacedIn(nodes)) {
            const [start, end] = rangeOf(node);
            const name = "name" in node ? (node.name ?? "") : "";
            numbers.set(name, (numbers.get(name) ?? 0) + 1);
            const text = this.#textOf(node, name, numbers.get(name) as number);
            const before = this.source.slice(at, start);
            at = end;
            const lineStart = before.lastIndexOf("\n") + 1;
            const beforeNode = this.source.slice(Math.max(0, start - maxLookedAt), start);
            const prefix = beforeNode.slice(beforeNode.lastIndexOf("\n") + 1);
            const isOwnLine =
                /^[ \t]*$/.test(prefix) && /^[ \t]*(?:\n|$)/.test(this.source.slice(at, at + maxLookedAt));
            if (node.type.startsWith("mdxText") || node.type === "mdxJsxTextElement" || !isOwnLine) {
                out =
                    joinText(out, before, afterBlock, false) +
                    indented(node.type.includes("Text") ? inline(text) : text, prefix);
                afterBlock = undefined;
                continue;
            }
            out = joinText(out, before.slice(0, lineStart).trimEnd(), afterBlock, true);
            if (text !== "") {
                const kind = isListed(name) ? "list" : "other";
                const isNext = kind === "list" && afterBlock === "list" && before.trim() === "";
                out += `${out === "" ? "" : isNext ? "\n" : "\n\n"}${prefix}${indented(text, prefix)}`;
                afterBlock = kind;
            } else {
                afterBlock ??= "other";
            }
        }
        return joinText(out, this.source.slice(at, to), afterBlock, true);
    }

    #textOf(node: Replaced, name: string, number: number): string {
        switch (node.type) {
            case "mdxjsEsm":
                return "";
            case "mdxFlowExpression":
            case "mdxTextExpression":
                return isNothing(node.value) ? "" : (textOfValue(this.#valueOf(node.value)) ?? this.#sourceOf(node));
            default:
                return this.#textOfElement(node, name, number);
        }
    }

    #textOfElement(node: JsxElement, name: string, number: number): string {
        const inner = this.#innerOf(node);
        const values = new Map(
            node.attributes.flatMap((attribute) =>
                attribute.type === "mdxJsxAttribute"
                    ? [[attribute.name, this.#attribute(attribute.value)] as const]
                    : [],
            ),
        );
        const snippet = this.#snippets.get(name);
        if (snippet !== undefined) {
            const scope = new Scope();
            const props = Object.fromEntries([...values, ["children", inner]]);
            scope.set("props", props);
            Object.entries(props).forEach(([key, value]) => scope.set(key, value));
            return this.page.ofSnippet(snippet, scope, this.depth);
        }
        const write = name === "" ? ({ inner: text }: { inner: string }) => text : textOfComponent(name);
        const attribute = (...names: readonly string[]) => {
            const found = names.map((each) => values.get(each)).find((value) => value !== undefined && value !== true);
            return isValueRecord(found) || Array.isArray(found) ? undefined : textOfValue(found);
        };
        const flag = (key: string) => values.has(key) && values.get(key) !== false && values.get(key) !== "false";
        if (node.type === "mdxJsxTextElement" && !isShownInLine(name)) {
            return inner || (attribute("title", "label", "name") ?? "");
        }
        return write?.({ attribute, flag, inner, number }) ?? this.#sourceOf(node);
    }

    #attribute(value: JsxElement["attributes"][number]["value"] | null | undefined): Value {
        if (value === null || value === undefined) {
            return true;
        }
        const found = typeof value === "string" ? value : this.#valueOf(value.value);
        return found instanceof EngineValue ? undefined : found;
    }

    #valueOf(code: string): Value {
        try {
            const value = staticValue(parseExpression(code).node, this.scope);
            return value instanceof EngineValue ? undefined : value;
        } catch (error) {
            if (error instanceof UnsupportedExpressionError) {
                return undefined;
            }
            throw error;
        }
    }

    #sourceOf(node: MdastNode): string {
        return this.source.slice(...rangeOf(node));
    }

    /** The content of an element, without the element's indentation. */
    #innerOf(node: JsxElement): string {
        const children = node.children as readonly MdastNode[];
        const [first] = children;
        if (first === undefined) {
            return "";
        }
        const [start] = rangeOf(first);
        const [, end] = rangeOf(children.at(-1) ?? first);
        const lineStart = this.source.lastIndexOf("\n", start - 1) + 1;
        const before = this.source.slice(lineStart, start);
        const isOwnLine = /^[ \t>]*$/.test(before);
        const text = this.#between(isOwnLine ? lineStart : start, end, children);
        const columns = children.flatMap(({ position }) => (position === undefined ? [] : [position.start]));
        const ofLines = columns.filter(({ line }) => line !== first.position?.start.line || isOwnLine);
        const width = Math.min(...ofLines.map(({ column }) => column - 1));
        return width > 0 && Number.isFinite(width)
            ? text.replace(new RegExp(`^[ \\t>]{1,${width}}`, "gm"), "").trim()
            : text.trim();
    }
}

/** Returns the range of a node in the source; the parser gives every node a position. */
function rangeOf({ position }: MdastNode): [start: number, end: number] {
    return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

export function childrenOf(node: MdastNode): readonly MdastNode[] {
    return "children" in node ? (node.children as readonly MdastNode[]) : [];
}

/** Yields the outermost nodes that are not Markdown, in order. */
function* replacedIn(nodes: readonly MdastNode[]): Generator<Replaced> {
    for (const node of nodes) {
        if (isReplaced(node)) {
            yield node;
        } else {
            yield* replacedIn(childrenOf(node));
        }
    }
}

function isReplaced(node: MdastNode): node is Replaced {
    switch (node.type) {
        case "mdxJsxFlowElement":
        case "mdxJsxTextElement":
            return node.name === null || textOfComponent(node.name) !== undefined;
        case "mdxFlowExpression":
        case "mdxTextExpression":
        case "mdxjsEsm":
            return true;
        default:
            return false;
    }
}

/** Joins Markdown with blank lines around blocks. @param isEnd whether no text can follow on the same line */
function joinText(out: string, text: string, afterBlock: "list" | "other" | undefined, isEnd: boolean): string {
    if (afterBlock === undefined) {
        return out + text;
    }
    const rest = text.replace(/^(?:[ \t]*\n)+/, "");
    return out === "" || (isEnd && rest.trim() === "") ? out + (out === "" ? rest : "") : `${out}\n\n${rest}`;
}

function inline(text: string): string {
    return text.replace(/\s*\n\s*/g, " ");
}

/** Indents all lines after the first, within the same quotes. */
function indented(text: string, prefix: string): string {
    return text.replace(/\n(?=[^\n])/g, `\n${prefix.replace(/[^>\s]/g, " ")}`);
}
