import type { Expression } from "estree-jsx";
import { emptyRecord, EngineValue, isValueRecord, type Scope, type Value } from "./script-value.js";

const needsEngine = new EngineValue("undefined", false);

/**
 * The value of an expression that does not need the engine: a literal, a list or object of literals, or a name with
 * such a value. An `EngineValue` for any other expression, and for a name whose value the engine can change.
 */
export function staticValue(node: Expression, scope: Scope): Value {
    switch (node.type) {
        case "Literal":
            return "regex" in node || "bigint" in node ? needsEngine : node.value;
        case "TemplateLiteral":
            return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? "") : needsEngine;
        case "UnaryExpression": {
            const value = staticValue(node.argument, scope);
            return node.operator === "-" && typeof value === "number" ? -value : needsEngine;
        }
        case "Identifier":
            return node.name === "undefined" || scope.has(node.name) ? scope.get(node.name) : needsEngine;
        case "MemberExpression": {
            const { object, property, computed } = node;
            const record = object.type === "Super" ? needsEngine : staticValue(object, scope);
            const isKnown = isValueRecord(record) && !computed && property.type === "Identifier";
            return isKnown && Object.hasOwn(record, property.name) ? record[property.name] : needsEngine;
        }
        case "ArrayExpression": {
            const items = node.elements.map((item) =>
                item === null || item.type === "SpreadElement" ? needsEngine : staticValue(item, scope),
            );
            return items.some((item) => item instanceof EngineValue) ? needsEngine : items;
        }
        case "ObjectExpression": {
            const record = emptyRecord();
            for (const property of node.properties) {
                if (property.type !== "Property" || property.computed || property.kind !== "init" || property.method) {
                    return needsEngine;
                }
                const { key } = property;
                const name =
                    key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
                const value = staticValue(property.value as Expression, scope);
                if (name === undefined || name === "__proto__" || value instanceof EngineValue) {
                    return needsEngine;
                }
                record[name] = value;
            }
            return record;
        }
        default:
            return needsEngine;
    }
}
