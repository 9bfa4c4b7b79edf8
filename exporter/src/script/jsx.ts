import type { JSXElement, JSXFragment, JSXIdentifier, JSXMemberExpression, JSXNamespacedName } from "estree-jsx";
import { type Evaluation } from "./evaluation.js";
import { memberOf } from "./operators.js";
import { emptyRecord, isValueRecord, JsxValue, type Scope, type Value, type ValueRecord } from "./value.js";

type JsxName = JSXIdentifier | JSXMemberExpression | JSXNamespacedName;

export function evaluateJsx(node: JSXElement | JSXFragment, scope: Scope, evaluation: Evaluation): JsxValue {
    const children = node.children.flatMap((child): readonly Value[] => {
        evaluation.budget.step();
        switch (child.type) {
            case "JSXText": {
                const text = jsxText(child.value);
                return text === "" ? [] : [text];
            }
            case "JSXElement":
            case "JSXFragment":
                return [evaluation.evaluate(child, scope)];
            case "JSXExpressionContainer":
                return child.expression.type === "JSXEmptyExpression"
                    ? []
                    : [evaluation.evaluate(child.expression, scope)];
            case "JSXSpreadChild":
                return [evaluation.evaluate(child.expression, scope)];
        }
    });
    if (node.type === "JSXFragment") {
        return new JsxValue(undefined, emptyRecord(), children, undefined);
    }
    const name = nameOf(node.openingElement.name);
    const isFragment = name === "React.Fragment" || name === "Fragment";
    const attributes = evaluateAttributes(node, scope, evaluation);
    return new JsxValue(isFragment ? undefined : name, attributes, children, componentOf(name, scope));
}

/** What a page's own component of this name is worth; undefined for HTML and for the theme's components. */
export function componentOf(name: string, scope: Scope): Value {
    const [first, ...rest] = name.split(".") as [string, ...string[]];
    if (!/^[A-Z_$]/.test(first) && rest.length === 0) {
        return undefined;
    }
    if (!scope.has(first)) {
        return undefined;
    }
    return rest.reduce(
        (value: Value, key) => (isValueRecord(value) ? memberOf(value, key) : undefined),
        scope.get(first),
    );
}

function evaluateAttributes(node: JSXElement, scope: Scope, evaluation: Evaluation): ValueRecord {
    const attributes = emptyRecord();
    for (const attribute of node.openingElement.attributes) {
        if (attribute.type === "JSXSpreadAttribute") {
            const spread = evaluation.evaluate(attribute.argument, scope);
            Object.assign(attributes, isValueRecord(spread) ? spread : {});
            continue;
        }
        const { value } = attribute;
        const name = nameOf(attribute.name);
        if (value === null) {
            attributes[name] = true;
        } else if (value.type === "Literal") {
            attributes[name] = value.value as Value;
        } else if (value.type === "JSXExpressionContainer") {
            attributes[name] =
                value.expression.type === "JSXEmptyExpression"
                    ? undefined
                    : evaluation.evaluate(value.expression, scope);
        } else {
            attributes[name] = evaluation.evaluate(value, scope);
        }
    }
    return attributes;
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
