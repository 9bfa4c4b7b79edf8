import { type HastNode } from "satteri";
import { plainTextOfHtml, unescapeHtml } from "../../text/html-text.js";
import { Content, JsxValue, textOfValue, type Value } from "../../text/script-value.js";
import { lettersOf, toOneLine } from "../../text/strings.js";
import { childrenOf, type HastElement, isElement, isExpression, isJsx } from "../../text/syntax-tree.js";
import { componentOf } from "../script/jsx-nodes.js";
import { type PageContext } from "./page-context.js";

/** Warns about text between the tags of a component or snippet that its HTML does not contain. */
export function warnOfHidden(
    name: string,
    kind: "component" | "snippet",
    children: Value,
    html: string,
    context: Pick<PageContext, "plainText" | "warn">,
): void {
    const all = textsOf(children, (content) => context.plainText(content), 0).filter((text) => lettersOf(text) !== "");
    if (all.length === 0) {
        return;
    }
    const shown = lettersOf(plainTextOfHtml(html));
    // An image or a card may show its text in an attribute.
    const source = lettersOf(unescapeHtml(html));
    const hidden = all.map(lettersOf).map((text) => !shown.includes(text) && !source.includes(text));
    const first = all[hidden.indexOf(true)];
    // Clicks may show more of a component.
    const when = kind === "component" ? " at first" : "";
    if (hidden.every(Boolean)) {
        context.warn("component", `the content of <${name}> is left out: the ${kind} shows nothing of it${when}`);
    } else if (first !== undefined) {
        const text = toOneLine(first.trim(), 60);
        context.warn("component", `some content of <${name}> is left out: the ${kind} does not show "${text}"${when}`);
    }
}

/** Snippets within snippets. */
const maxDepth = 10;

type Evaluate = (content: Content) => string;

function textsOf(value: Value, evaluate: Evaluate, depth: number): string[] {
    if (value instanceof Content) {
        return value.nodes.flatMap((node) => textsOfNode(node, value, evaluate, depth));
    }
    if (value instanceof JsxValue) {
        const texts = Object.entries(value.attributes).map(([name, given]) => (isText(name) ? textOfValue(given) : ""));
        return [...texts, ...value.children.flatMap((child) => textsOf(child, evaluate, depth))].filter(
            (text) => text !== undefined,
        );
    }
    return Array.isArray(value)
        ? value.flatMap((each: Value) => textsOf(each, evaluate, depth))
        : [textOfValue(value) ?? ""];
}

/** Whether an attribute of any element is text for readers. */
function isText(name: string): boolean {
    return name === "title" || name === "alt";
}

function textsOfNode(node: HastNode, content: Content, evaluate: Evaluate, depth: number): string[] {
    const { scope, file } = content;
    const inner = () => childrenOf(node).flatMap((child) => textsOfNode(child, content, evaluate, depth));
    if (node.type === "text") {
        // Without the mark of a callout, in whose place its title is shown.
        return [node.value.replace(/^\s*\[!\w+\]/, "")];
    }
    if (isExpression(node)) {
        return depth === 0 ? [evaluate(new Content([node], scope, file))] : [];
    }
    if (isElement(node)) {
        const alt = node.properties["alt"];
        return isWrittenOtherwise(node) ? [] : [typeof alt === "string" ? alt : "", ...inner()];
    }
    if (!isJsx(node)) {
        return inner();
    }
    const { name } = node;
    // These are for other readers, or for browsers.
    if (name === "Visibility" || name === "script" || name === "style") {
        return [];
    }
    const texts = node.attributes.map((attribute) =>
        attribute.type === "mdxJsxAttribute" && isText(attribute.name) && typeof attribute.value === "string"
            ? attribute.value
            : "",
    );
    const snippet = name === null ? undefined : componentOf(name, scope);
    const ofSnippet = snippet instanceof Content && depth < maxDepth ? textsOf(snippet, evaluate, depth + 1) : [];
    return [...texts, ...ofSnippet, ...inner()];
}

/** Formulas and diagrams, whose HTML does not contain their source. */
function isWrittenOtherwise({ properties }: HastElement): boolean {
    const classes = [properties["className"]].flat().join(" ");
    return /\b(?:math|language-(?:math|mermaid))/i.test(classes);
}
