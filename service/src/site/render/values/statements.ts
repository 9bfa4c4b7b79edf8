import type { BlockStatement, Expression, Pattern, Statement } from "estree-jsx";
import { type Evaluation } from "./evaluation.js";
import { memberOf, toText } from "./operators.js";
import { Closure, emptyRecord, isValueRecord, Scope, UnsupportedExpressionError, type Value } from "./value.js";

/** What a block of statements came to: a value that was returned, or nothing yet. */
type Outcome = { readonly returned: Value } | undefined;

/** Calls that do nothing while a page is shown for the first time. */
const effects = new Set(["useEffect", "useLayoutEffect"]);

export function runFunctionBody(block: BlockStatement, scope: Scope, evaluation: Evaluation): Value {
    return runBlock(block.body, scope, evaluation)?.returned;
}

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

function runBlock(statements: readonly Statement[], scope: Scope, evaluation: Evaluation): Outcome {
    for (const statement of statements) {
        if (statement.type === "FunctionDeclaration") {
            scope.set(statement.id.name, new Closure(statement, scope));
        }
    }
    for (const statement of statements) {
        const outcome = run(statement, scope, evaluation);
        if (outcome !== undefined) {
            return outcome;
        }
    }
    return undefined;
}

function run(statement: Statement, scope: Scope, evaluation: Evaluation): Outcome {
    evaluation.budget.step();
    switch (statement.type) {
        case "VariableDeclaration":
            for (const { id, init } of statement.declarations) {
                bindPattern(id, init ? evaluation.evaluate(init, scope) : undefined, scope, evaluation);
            }
            return undefined;
        case "ReturnStatement":
            return { returned: statement.argument ? evaluation.evaluate(statement.argument, scope) : undefined };
        case "IfStatement": {
            const branch = evaluation.evaluate(statement.test, scope) ? statement.consequent : statement.alternate;
            return branch ? run(branch, new Scope(scope), evaluation) : undefined;
        }
        case "BlockStatement":
            return runBlock(statement.body, new Scope(scope), evaluation);
        case "ExpressionStatement":
            runExpression(statement.expression, scope, evaluation);
            return undefined;
        case "FunctionDeclaration":
        case "EmptyStatement":
            return undefined;
        default:
            throw new UnsupportedExpressionError(`${statement.type} is not supported`);
    }
}

function runExpression(expression: Expression, scope: Scope, evaluation: Evaluation): void {
    if (expression.type === "CallExpression" && effects.has(calleeName(expression.callee))) {
        return;
    }
    if (expression.type === "AssignmentExpression" && expression.operator === "=") {
        const { left, right } = expression;
        if (left.type === "Identifier" && scope.assign(left.name, evaluation.evaluate(right, scope))) {
            return;
        }
        throw new UnsupportedExpressionError("this assignment is not supported");
    }
    evaluation.evaluate(expression, scope);
}

function calleeName(callee: { type: string }): string {
    const node = callee as { name?: string; property?: { name?: string } };
    return node.name ?? node.property?.name ?? "";
}
