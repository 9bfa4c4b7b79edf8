import { isKnownElement } from "../../html/known-elements.js";
import { type JsxNode } from "../../text/syntax-tree.js";
import { type PageScript } from "./page-script.js";
import { isNothing, parseExpression } from "../../text/script-parser.js";
import {
    emptyRecord,
    EngineValue,
    isValueRecord,
    type Scope,
    reasonOfUnsupported,
    type Value,
    type ValueRecord,
} from "../../text/script-value.js";

const plainString = /^(?:"([^"\\]*)"|'([^'\\]*)')$/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The value of an expression in braces; undefined for a comment. */
export function renderExpression(code: string, scope: Scope, script: PageScript): Value {
    const text = code.trim();
    const quoted = plainString.exec(text);
    if (quoted !== null) {
        return quoted[1] ?? quoted[2];
    }
    if (plainNumber.test(text)) {
        return Number(text);
    }
    if (isNothing(text)) {
        return undefined;
    }
    const { node, text: parsed } = parseExpression(text);
    return script.evaluate(node, parsed, scope);
}

/** Reads an element's attributes; reports and omits attributes that it cannot evaluate. */
export function attributesOf(
    node: JsxNode,
    scope: Scope,
    script: PageScript,
    report: (name: string, reason: string) => void,
): ValueRecord {
    const attributes = emptyRecord();
    for (const attribute of node.attributes) {
        const name = attribute.type === "mdxJsxAttribute" ? attribute.name : "{…}";
        try {
            if (attribute.type === "mdxJsxExpressionAttribute") {
                const spread = renderExpression(`{${attribute.value}}`, scope, script);
                Object.assign(attributes, isValueRecord(spread) ? spread : {});
            } else {
                const value = attribute.value ?? true;
                attributes[name] = typeof value === "object" ? renderExpression(value.value, scope, script) : value;
            }
        } catch (error) {
            report(name, reasonOfUnsupported(error));
        }
    }
    return attributes;
}

/**
 * The value of a component that the page defines under this name; undefined for HTML and for the theme's components.
 */
export function componentOf(name: string, scope: Scope): Value {
    const [first, ...rest] = name.split(".") as [string, ...string[]];
    const isElement = rest.length === 0 && /^[a-z]/.test(first) && isKnownElement(first);
    if (isElement || !scope.has(first)) {
        return undefined;
    }
    return rest.reduce((value: Value, key) => {
        if (value instanceof EngineValue) {
            return new EngineValue(`${value.code}?.[${JSON.stringify(key)}]`, true);
        }
        return isValueRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, scope.get(first));
}
