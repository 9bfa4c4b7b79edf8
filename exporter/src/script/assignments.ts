import type { AssignmentExpression, BinaryOperator, Expression, MemberExpression, Pattern } from "estree-jsx";
import { type Evaluation } from "./evaluation.js";
import { binary } from "./operators.js";
import { isValueRecord, type Scope, UnsupportedExpressionError, type Value } from "./value.js";

/** What assignments ask of the evaluator around them. */
export interface Assigning extends Evaluation {
    readonly keyOf: (node: MemberExpression, scope: Scope) => string;
}

/** `name = value`, `name += value`, `list[0] = value`, `record.key ??= value`. */
export function assign(node: AssignmentExpression, scope: Scope, evaluator: Assigning): Value {
    const { operator, left, right } = node;
    const worth = () => evaluator.evaluate(right, scope);
    if (operator === "=") {
        return write(left, worth(), scope, evaluator);
    }
    const before = evaluator.evaluate(asExpression(left), scope);
    switch (operator) {
        case "??=":
            return before ?? write(left, worth(), scope, evaluator);
        case "||=":
            return before || write(left, worth(), scope, evaluator);
        case "&&=":
            return before && write(left, worth(), scope, evaluator);
        default: {
            const after = binary(operator.slice(0, -1) as BinaryOperator, before, worth());
            return write(left, evaluator.budget.makes(after), scope, evaluator);
        }
    }
}

/** `count++` and `--count`. */
export function step(
    node: { operator: "++" | "--"; argument: Expression; prefix: boolean },
    scope: Scope,
    evaluator: Assigning,
): Value {
    const before = Number(evaluator.evaluate(node.argument, scope));
    const after = before + (node.operator === "++" ? 1 : -1);
    write(node.argument as Pattern, after, scope, evaluator);
    return node.prefix ? after : before;
}

function write(target: Pattern, value: Value, scope: Scope, evaluator: Assigning): Value {
    if (target.type === "Identifier" && scope.assign(target.name, value)) {
        return value;
    }
    if (target.type === "MemberExpression" && target.object.type !== "Super") {
        const object = evaluator.evaluate(target.object, scope);
        const key = evaluator.keyOf(target, scope);
        if (Array.isArray(object) && Number(key) >= 0 && Number(key) <= object.length) {
            assertOwn(object, evaluator);
            (object as Value[])[Number(key)] = value;
            return value;
        }
        if (isValueRecord(object)) {
            assertOwn(object, evaluator);
            (object as Record<string, Value>)[key] = value;
            return value;
        }
    }
    throw new UnsupportedExpressionError("this assignment is not supported");
}

/** What imported files made is the same for all pages, whose order must not matter. @throws UnsupportedExpressionError */
export function assertOwn(
    value: object,
    evaluation: Evaluation,
    reason = "a list or an object is changed that another file made",
): void {
    if (!evaluation.owns(value)) {
        throw new UnsupportedExpressionError(reason);
    }
}

function asExpression(target: Pattern): Expression {
    if (target.type === "Identifier" || target.type === "MemberExpression") {
        return target;
    }
    throw new UnsupportedExpressionError("this assignment is not supported");
}
