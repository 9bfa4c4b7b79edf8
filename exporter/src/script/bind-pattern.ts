import type { Pattern } from "estree-jsx";
import { type Evaluation } from "./evaluation.js";
import { memberOf, toText } from "./operators.js";
import { emptyRecord, isValueRecord, type Scope, UnsupportedExpressionError, type Value } from "./value.js";

/** Declares the names of a pattern: a name, `{ a, b = 1, ...rest }`, `[a, b]`, or one of these with a default. */
export function bindPattern(pattern: Pattern, value: Value, scope: Scope, evaluation: Evaluation): void {
    switch (pattern.type) {
        case "Identifier":
            scope.set(pattern.name, value);
            return;
        case "AssignmentPattern":
            bindPattern(
                pattern.left,
                value === undefined ? evaluation.evaluate(pattern.right, scope) : value,
                scope,
                evaluation,
            );
            return;
        case "ArrayPattern":
            pattern.elements.forEach((element, index) => {
                if (element?.type === "RestElement") {
                    bindPattern(element.argument, Array.isArray(value) ? value.slice(index) : [], scope, evaluation);
                } else if (element !== null) {
                    bindPattern(element, memberOf(value, String(index)), scope, evaluation);
                }
            });
            return;
        case "ObjectPattern": {
            const rest = emptyRecord();
            Object.assign(rest, isValueRecord(value) ? value : {});
            for (const property of pattern.properties) {
                if (property.type === "RestElement") {
                    bindPattern(property.argument, rest, scope, evaluation);
                    continue;
                }
                const key =
                    !property.computed && property.key.type === "Identifier"
                        ? property.key.name
                        : toText(evaluation.evaluate(property.key, scope));
                bindPattern(property.value, memberOf(value, key), scope, evaluation);
                delete rest[key];
            }
            return;
        }
        default:
            throw new UnsupportedExpressionError("this way of declaring a name is not supported");
    }
}
