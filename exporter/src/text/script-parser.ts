import type * as Acorn from "acorn";
import type AcornJsx from "acorn-jsx";
import type { Expression, Program } from "estree-jsx";
import { lazyModule } from "./lazy-module.js";
import { UnsupportedExpressionError } from "./script-value.js";

const acorn = lazyModule<typeof Acorn>("acorn");
const acornJsx = lazyModule<typeof AcornJsx>("acorn-jsx");
let parser: typeof Acorn.Parser | undefined;
const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;

/** Parses an expression in braces. @returns its node, and the text that the node's positions refer to */
export function parseExpression(code: string): { node: Expression; text: string } {
    const text = `(${code}\n)`;
    const [statement, ...others] = parseModule(text).body;
    if (others.length > 0 || statement?.type !== "ExpressionStatement") {
        throw new UnsupportedExpressionError("it is not one expression");
    }
    return { node: statement.expression, text };
}

/** Whether braces contain only a comment. */
export function isNothing(code: string): boolean {
    const text = code.trim();
    const isComment =
        /^\/[*/]/.test(text) && text.replace(/\/\*(?:[\s\S]*?\*\/|([\s\S]*)$)|\/\/[^\n]*/g, "$1").trim() === "";
    return text === "" || isComment;
}

/** Parses `import` and `export` lines of a page, or a whole script of components. */
export function parseModule(code: string): Program {
    return attempt(() => jsxParser().parse(code, options) as unknown as Program);
}

/** Whether code is a whole module. */
export function isModule(code: string): boolean {
    return typeof placeOf(() => jsxParser().parse(code, options)) !== "number";
}

/** The place after the expression that begins at a place of a text; undefined if none does. */
export function endOfExpression(text: string, at: number): number | undefined {
    const parse = (end: number) => placeOf(() => jsxParser().parseExpressionAt(text.slice(0, end), at, options));
    const found = parse(text.length);
    // The text after the expression need not consist of tokens of JavaScript.
    const whole = typeof found === "number" ? parse(text.lastIndexOf("\n", found - 1) + 1) : found;
    return typeof whole === "number" ? undefined : whole.end;
}

/** The parsed node, or the place at which the parser stops. */
function placeOf(parse: () => Acorn.Node): Acorn.Node | number {
    try {
        return parse();
    } catch (error) {
        return error instanceof SyntaxError ? (error as SyntaxError & { pos: number }).pos : 0;
    }
}

function jsxParser(): typeof Acorn.Parser {
    return (parser ??= acorn().Parser.extend(acornJsx()()));
}

function attempt<T>(parse: () => T): T {
    try {
        return parse();
    } catch (error) {
        if (error instanceof SyntaxError) {
            throw new UnsupportedExpressionError(`it does not parse: ${error.message.replace(/ \(\d+:\d+\)$/, "")}`);
        }
        // A RangeError means that the code is nested too deeply for the parser's stack.
        if (error instanceof RangeError) {
            throw new UnsupportedExpressionError("it is nested too deeply");
        }
        throw error;
    }
}
