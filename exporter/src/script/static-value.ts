import type { Expression } from "estree-jsx";
import { emptyRecord, EngineValue, isValueRecord, type Scope, type Value } from "./value.js";

/** The value of an expression that needs no engine: literals, lists and objects of them, and names with such a value. */
export function staticValue(node: Expression, scope: Scope): { readonly value: Value } | undefined {
    switch (node.type) {
        case "Literal":
            return "regex" in node || "bigint" in node ? undefined : { value: node.value as Value };
        case "TemplateLiteral":
            return node.expressions.length === 0 ? { value: node.quasis[0]?.value.cooked ?? "" } : undefined;
        case "UnaryExpression": {
            const of = staticValue(node.argument, scope);
            return node.operator === "-" && typeof of?.value === "number" ? { value: -of.value } : undefined;
        }
        case "Identifier":
            if (node.name === "undefined") {
                return { value: undefined };
            }
            return scope.has(node.name) ? stated(scope.get(node.name)) : undefined;
        case "MemberExpression": {
            const { object, property, computed } = node;
            const of = object.type === "Super" ? undefined : staticValue(object, scope);
            const record = of?.value;
            return record !== undefined &&
                isValueRecord(record) &&
                !computed &&
                property.type === "Identifier" &&
                Object.hasOwn(record, property.name)
                ? stated(record[property.name])
                : undefined;
        }
        case "ArrayExpression": {
            const items = node.elements.map((item) =>
                item === null || item.type === "SpreadElement" ? undefined : staticValue(item, scope),
            );
            return items.every((item) => item !== undefined) ? { value: items.map(({ value }) => value) } : undefined;
        }
        case "ObjectExpression": {
            const record = emptyRecord();
            for (const property of node.properties) {
                if (property.type !== "Property" || property.computed || property.kind !== "init" || property.method) {
                    return undefined;
                }
                const { key } = property;
                const name =
                    key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
                const of = staticValue(property.value as Expression, scope);
                if (name === undefined || name === "__proto__" || of === undefined) {
                    return undefined;
                }
                record[name] = of.value;
            }
            return { value: record };
        }
        default:
            return undefined;
    }
}

/** A value that stays in the engine can change there. */
function stated(value: Value): { readonly value: Value } | undefined {
    return value instanceof EngineValue ? undefined : { value };
}
