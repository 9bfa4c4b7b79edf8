import { type JsxNode } from "../markdown/syntax-tree.js";
import { parseExpression } from "./script-parser.js";
import {
    type Caller,
    emptyRecord,
    isValueRecord,
    type Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "./value.js";

const plainString = /^(?:"([^"\\]*)"|'([^'\\]*)')$/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The value of an expression in braces; undefined for a comment. */
export function renderExpression(code: string, scope: Scope, evaluator: Pick<Caller, "evaluate">): Value {
    const text = code.trim();
    const quoted = plainString.exec(text);
    if (quoted !== null) {
        return quoted[1] ?? quoted[2];
    }
    if (plainNumber.test(text)) {
        return Number(text);
    }
    if (text === "" || (/^\/[*/]/.test(text) && isComment(text))) {
        return undefined;
    }
    return evaluator.evaluate(parseExpression(text), scope);
}

/** An element's attributes; one that cannot be worked out is left out and reported. */
export function attributesOf(
    node: JsxNode,
    scope: Scope,
    evaluator: Pick<Caller, "evaluate">,
    report: (name: string, reason: string) => void,
): ValueRecord {
    const attributes = emptyRecord();
    for (const attribute of node.attributes) {
        const name = attribute.type === "mdxJsxAttribute" ? attribute.name : "{…}";
        try {
            if (attribute.type === "mdxJsxExpressionAttribute") {
                const spread = renderExpression(`{${attribute.value}}`, scope, evaluator);
                Object.assign(attributes, isValueRecord(spread) ? spread : {});
            } else if (attribute.value === null || attribute.value === undefined) {
                attributes[name] = true;
            } else {
                attributes[name] =
                    typeof attribute.value === "string"
                        ? attribute.value
                        : renderExpression(attribute.value.value, scope, evaluator);
            }
        } catch (error) {
            if (!(error instanceof UnsupportedExpressionError)) {
                throw error;
            }
            report(name, error.message);
        }
    }
    return attributes;
}

function isComment(text: string): boolean {
    return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").trim() === "";
}
