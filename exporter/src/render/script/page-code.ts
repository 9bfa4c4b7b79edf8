import { getOrMake } from "../../text/get-or-make.js";
import { type HastNode } from "satteri";
import { childrenOf, type HastElement, isExpression, isJsx, type JsxNode } from "../../text/syntax-tree.js";
import { compileJsx, typeCode } from "./compile-jsx.js";
import { textOrContent } from "./content.js";
import { isNothing, parseExpression } from "../../text/script-parser.js";
import {
    Content,
    EngineValue,
    isValueRecord,
    JsxValue,
    type Scope,
    reasonOfUnsupported,
    type Value,
    type ValueRecord,
} from "../../text/script-value.js";

/** Converts content of a page into code for its engine. */
export class PageCode {
    /** Parts of the page, by their numbers in the engine. */
    readonly contents: Content[] = [];
    readonly #numbers = new Map<Content, number>();

    /** The attributes of an element on a page, as code. */
    ofAttributes(node: JsxNode): string {
        const entries = node.attributes.map((attribute) => {
            if (attribute.type === "mdxJsxExpressionAttribute") {
                return `[undefined, () => (${guarded(`{${attribute.value}}`)})]`;
            }
            const value = attribute.value ?? true;
            const code = typeof value === "object" ? guarded(value.value) : JSON.stringify(value);
            return `[${JSON.stringify(attribute.name)}, () => (${code})]`;
        });
        return `[${entries.join(", ")}]`;
    }

    /** Attributes with known values, as code. */
    ofValues(attributes: ValueRecord): string {
        const entries = Object.entries(attributes).map(
            ([name, value]) => `[${JSON.stringify(name)}, () => (${this.of(value)})]`,
        );
        return `[${entries.join(", ")}]`;
    }

    /** A value as code that creates the same value in the engine. */
    of(value: Value): string {
        if (value instanceof EngineValue) {
            return value.code;
        }
        if (value instanceof Content) {
            return value.isSnippet ? this.#contentCode(value) : this.#childCode(value);
        }
        if (value instanceof JsxValue) {
            const type = value.snippet === undefined ? typeCode(value.name) : this.#contentCode(value.snippet);
            const children = value.children.map((child) => this.of(child));
            return `__page.element(${[type, this.of(value.attributes), ...children].join(", ")})`;
        }
        if (Array.isArray(value)) {
            return `[${value.map((item: Value) => this.of(item)).join(", ")}]`;
        }
        if (isValueRecord(value)) {
            const entries = Object.entries(value).map(([key, item]) => `[${JSON.stringify(key)}]: ${this.of(item)}`);
            return `{${entries.join(", ")}}`;
        }
        return value === undefined ? "undefined" : JSON.stringify(value);
    }

    /** The content between a component's tags, as code for a list. The content's code runs at the component's place. */
    ofChildren(children: Value): string {
        if (!(children instanceof Content)) {
            return this.of(children ?? []);
        }
        const shown = textOrContent(children);
        return shown instanceof Content
            ? `[${this.#itemCodes(shown, true).join(", ")}]`
            : this.of(shown === undefined ? [] : [shown]);
    }

    /** Code for an element as components see it: its type, and its attributes and children as React's props. */
    ofExpansion(content: Content): string {
        const [node] = content.nodes.filter((one) => one.type !== "text" || one.value.trim() !== "");
        if (node === undefined) {
            return "__page.expanded(__page.fragment, [], [])";
        }
        const inner = this.ofChildren(new Content(childrenOf(node), content.scope, content.file));
        const [type, attributes] = isJsx(node)
            ? [node.name === null ? "__page.fragment" : typeCode(node.name), this.ofAttributes(node)]
            : node.type === "element"
              ? [JSON.stringify(node.tagName), this.ofValues(propertiesOf(node))]
              : ['""', "[]"];
        return `__page.expanded(${type}, ${attributes}, ${inner})`;
    }

    /**
     * Content from another place in the form that components receive: a single part unchanged, or several parts as a
     * list.
     */
    #childCode(content: Content): string {
        const codes = this.#itemCodes(content, false);
        return codes.length === 1 ? String(codes[0]) : `[${codes.join(", ")}]`;
    }

    /**
     * The elements and strings in a page's content, without the line breaks between them.
     * @param isInScope whether the code runs at the content's place
     */
    #itemCodes({ nodes, scope, file }: Content, isInScope: boolean): string[] {
        return nodes.flatMap((node) => {
            if (node.type === "text") {
                return node.value.trim() === "" && node.value.includes("\n") ? [] : JSON.stringify(node.value);
            }
            const content = new Content([node], scope, file);
            return isExpression(node) && isInScope
                ? `__page.expression(${this.#contentNumber(content)}, () => (${guarded(node.value)}))`
                : this.#contentCode(content);
        });
    }

    #contentCode(content: Content): string {
        const number = this.#contentNumber(content);
        return `__page.content(${number}, ${content.nodes.some((node) => this.#hasOwnComponent(node, content.scope))})`;
    }

    #hasOwnComponent(node: HastNode, scope: Scope): boolean {
        const isOwn =
            isJsx(node) && node.name !== null && scope.get(node.name.split(".")[0] ?? "") instanceof EngineValue;
        return isOwn || childrenOf(node).some((child) => this.#hasOwnComponent(child, scope));
    }

    #contentNumber(content: Content): number {
        return getOrMake(this.#numbers, content, () => this.contents.push(content) - 1);
    }
}

/** An expression's code; code that does not parse fails at run time. */
function guarded(code: string): string {
    try {
        if (isNothing(code)) {
            return "undefined";
        }
        const { node, text } = parseExpression(code);
        return compileJsx(node, text);
    } catch (error) {
        return `__page.fail(${JSON.stringify(reasonOfUnsupported(error))})`;
    }
}

/** An element's attributes with React's names. */
function propertiesOf({ properties }: HastElement): ValueRecord {
    return Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, Array.isArray(value) ? value.join(" ") : value]),
    );
}
