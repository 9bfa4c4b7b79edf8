import type {
    BlockStatement,
    CatchClause,
    JSXAttribute,
    JSXElement,
    JSXFragment,
    JSXIdentifier,
    JSXMemberExpression,
    JSXNamespacedName,
    JSXSpreadAttribute,
    Node,
} from "estree-jsx";
import { UnsupportedExpressionError } from "./value.js";

type JsxName = JSXIdentifier | JSXMemberExpression | JSXNamespacedName;
type Jsx = JSXElement | JSXFragment;
/** The parser gives each node its place in the code. */
type Placed = Node & { start: number; end: number };

interface Edit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** The engine parses what is compiled as well, on a smaller stack. */
const maxDepth = 250;

/**
 * A node's code as plain JavaScript: JSX as calls of the engine's own functions, and no `catch` that could keep code from
 * coming to an end.
 *
 * @throws UnsupportedExpressionError
 */
export function compileJsx(node: Node, code: string): string {
    const { start, end } = node as Placed;
    let compiled = "";
    let from = start;
    for (const edit of editsIn(node, code)) {
        compiled += code.slice(from, edit.start) + edit.text;
        from = edit.end;
    }
    return compiled + code.slice(from, end);
}

/** The name of a component and how its value is read; HTML's elements are their names. */
export function typeCode(name: string): string {
    const isComponent = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(name) && (/^[A-Z_$]/.test(name) || name.includes("."));
    return isComponent ? `__page.type(${JSON.stringify(name)}, () => ${name})` : JSON.stringify(name);
}

function isJsx(node: Node): node is Jsx {
    return node.type === "JSXElement" || node.type === "JSXFragment";
}

/** What replaces parts of the code, in their order. */
function editsIn(node: Node, code: string): readonly Edit[] {
    const edits: Edit[] = [];
    const visit = (at: unknown, depth: number): void => {
        if (depth > maxDepth) {
            throw new UnsupportedExpressionError("it is nested too deeply");
        }
        if (Array.isArray(at)) {
            at.forEach((item) => visit(item, depth));
        } else if (typeof at === "object" && at !== null && "type" in at) {
            const inner = at as Placed;
            if (isJsx(inner)) {
                edits.push({ start: inner.start, end: inner.end, text: elementCode(inner, code) });
                return;
            }
            if (inner.type === "CatchClause") {
                edits.push(...catchEdits(inner));
            }
            Object.values(inner).forEach((item) => visit(item, depth + 1));
        }
    };
    visit(node, 0);
    return edits.sort((one, other) => one.start - other.start);
}

/** Errors of full memory or an overflowing stack are thrown again, as those of code that runs too long are. */
function catchEdits({ param, body }: CatchClause): readonly Edit[] {
    const { start } = body as BlockStatement & Placed;
    if (param?.type === "Identifier") {
        return [{ start: start + 1, end: start + 1, text: `__page.caught(${param.name});` }];
    }
    return param ? [] : [{ start, end: start + 1, text: "(__error) {__page.caught(__error);" }];
}

function elementCode(node: Jsx, code: string): string {
    const children = node.children.flatMap((child): string[] => {
        switch (child.type) {
            case "JSXText": {
                const text = jsxText(child.value);
                return text === "" ? [] : [JSON.stringify(text)];
            }
            case "JSXExpressionContainer":
                return child.expression.type === "JSXEmptyExpression" ? [] : [compileJsx(child.expression, code)];
            case "JSXSpreadChild":
                return [`...${compileJsx(child.expression, code)}`];
            default:
                return [elementCode(child, code)];
        }
    });
    const [type, attributes] =
        node.type === "JSXFragment"
            ? ["__page.fragment", ""]
            : [
                  typeCode(nameOf(node.openingElement.name)),
                  node.openingElement.attributes.map((one) => attributeCode(one, code)).join(", "),
              ];
    return `__page.element(${[type, `{${attributes}}`, ...children].join(", ")})`;
}

function attributeCode(attribute: JSXAttribute | JSXSpreadAttribute, code: string): string {
    if (attribute.type === "JSXSpreadAttribute") {
        return `...(${compileJsx(attribute.argument, code)})`;
    }
    const { value } = attribute;
    const name = JSON.stringify(nameOf(attribute.name));
    if (value === null) {
        return `${name}: true`;
    }
    switch (value.type) {
        case "Literal":
            return `${name}: ${JSON.stringify(value.value)}`;
        case "JSXExpressionContainer":
            return `${name}: ${value.expression.type === "JSXEmptyExpression" ? "undefined" : `(${compileJsx(value.expression, code)})`}`;
        default:
            return `${name}: ${compileJsx(value, code)}`;
    }
}

function nameOf(name: JsxName): string {
    switch (name.type) {
        case "JSXIdentifier":
            return name.name;
        case "JSXMemberExpression":
            return `${nameOf(name.object)}.${name.property.name}`;
        case "JSXNamespacedName":
            return `${name.namespace.name}:${name.name.name}`;
    }
}

/** Lines of text as JSX reads them: indentation and line breaks between tags are no text. */
function jsxText(raw: string): string {
    if (!raw.includes("\n")) {
        return raw;
    }
    const lines = raw.split(/\r?\n/);
    return lines
        .map((line, index) => {
            const start = index === 0 ? line : line.trimStart();
            return index === lines.length - 1 ? start : start.trimEnd();
        })
        .filter((line) => line !== "")
        .join(" ");
}
