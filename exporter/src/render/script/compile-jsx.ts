import type {
    BlockStatement,
    CatchClause,
    JSXAttribute,
    JSXElement,
    JSXFragment,
    JSXSpreadAttribute,
    Node,
} from "estree-jsx";
import { UnsupportedExpressionError } from "../../text/script-value.js";

type Jsx = JSXElement | JSXFragment;
/** A node with its position in the code, which the parser adds. */
type Placed<N> = N & { start: number; end: number };

interface Edit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** The maximum depth of code. The engine parses the compiled code again with a smaller stack. */
const maxDepth = 250;

/**
 * Compiles a node's code to plain JavaScript: JSX becomes calls to the engine's own functions, and `catch` clauses can
 * no longer keep code from ending.
 * @throws UnsupportedExpressionError
 */
export function compileJsx(node: Node, code: string): string {
    const { start, end } = node as Placed<Node>;
    let compiled = "";
    let from = start;
    for (const edit of editsIn(node, code)) {
        compiled += code.slice(from, edit.start) + edit.text;
        from = edit.end;
    }
    return compiled + code.slice(from, end);
}

/** The code for an element's type: a component's name with the code that reads its value, or an HTML element's name. */
export function typeCode(name: string): string {
    const isComponent = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(name) && (/^[A-Z_$]/.test(name) || name.includes("."));
    return isComponent ? `__page.type(${JSON.stringify(name)}, () => ${name})` : JSON.stringify(name);
}

/** The replacements for parts of the code, in order of position. */
function editsIn(node: Node, code: string): readonly Edit[] {
    const edits: Edit[] = [];
    const visit = (at: unknown, depth: number): void => {
        if (depth > maxDepth) {
            throw new UnsupportedExpressionError("it is nested too deeply");
        }
        if (Array.isArray(at)) {
            at.forEach((item) => visit(item, depth));
        } else if (typeof at === "object" && at !== null && "type" in at) {
            const inner = at as Placed<Node>;
            if (inner.type === "JSXElement" || inner.type === "JSXFragment") {
                edits.push({ start: inner.start, end: inner.end, text: elementCode(inner, code) });
            } else if (inner.type === "CatchClause") {
                edits.push(catchEdit(inner, code));
                visit(inner.body, depth + 1);
            } else {
                Object.values(inner).forEach((item) => visit(item, depth + 1));
            }
        }
    };
    visit(node, 0);
    return edits.sort((one, other) => one.start - other.start);
}

/** Makes a `catch` clause rethrow the engine's errors about full memory and stack overflows. */
function catchEdit({ start, param, body }: Placed<CatchClause>, code: string): Edit {
    const declared = param ? ` let ${compileJsx(param, code)} = __error;` : "";
    const end = (body as Placed<BlockStatement>).start + 1;
    return { start, end, text: `catch (__error) {__page.caught(__error);${declared}` };
}

function elementCode(node: Jsx, code: string): string {
    const children = node.children.map((child) => partCode(child, code)).filter((part) => part !== "");
    if (node.type === "JSXFragment") {
        return `__page.element(${["__page.fragment", "{}", ...children].join(", ")})`;
    }
    const { name, attributes } = node.openingElement;
    const given = attributes.map((one) => attributeCode(one, code)).join(", ");
    return `__page.element(${[typeCode(codeOf(name, code)), `{${given}}`, ...children].join(", ")})`;
}

function attributeCode(attribute: JSXAttribute | JSXSpreadAttribute, code: string): string {
    if (attribute.type === "JSXSpreadAttribute") {
        return `...(${compileJsx(attribute.argument, code)})`;
    }
    const value = attribute.value === null ? "true" : partCode(attribute.value, code);
    return `${JSON.stringify(codeOf(attribute.name, code))}: ${value === "" ? "undefined" : value}`;
}

/** The code for a child of an element or for the value of an attribute; empty for a comment, which has no value. */
function partCode(part: Jsx["children"][number] | NonNullable<JSXAttribute["value"]>, code: string): string {
    switch (part.type) {
        case "Literal":
            return JSON.stringify(part.value);
        case "JSXText": {
            const text = jsxText(part.value);
            return text === "" ? "" : JSON.stringify(text);
        }
        case "JSXExpressionContainer":
            return part.expression.type === "JSXEmptyExpression" ? "" : `(${compileJsx(part.expression, code)})`;
        case "JSXSpreadChild":
            return `...${compileJsx(part.expression, code)}`;
        default:
            return elementCode(part, code);
    }
}

function codeOf(name: Node, code: string): string {
    const { start, end } = name as Placed<Node>;
    return code.slice(start, end);
}

/** Lines of text, by JSX's rules: indentation and line breaks between tags do not count as text. */
function jsxText(raw: string): string {
    const lines = raw.split(/\r?\n/);
    return lines
        .map((line, index) => {
            const start = index === 0 ? line : line.trimStart();
            return index === lines.length - 1 ? start : start.trimEnd();
        })
        .filter((line) => line !== "")
        .join(" ");
}
