import type { BinaryOperator, BlockStatement, Expression, Pattern, Statement } from "estree-jsx";
import { bindPattern } from "./bind-pattern.js";
import { type Evaluation } from "./evaluation.js";
import { runLoop, type Outcome } from "./loops.js";
import { binary, toNumber } from "./operators.js";
import { Closure, Scope, UnsupportedExpressionError, type Value } from "./value.js";

/** Calls that do nothing while a page is shown for the first time. */
const effects = new Set(["useEffect", "useLayoutEffect"]);

export function runFunctionBody(block: BlockStatement, scope: Scope, evaluation: Evaluation): Value {
    const outcome = runBlock(block.body, scope, evaluation);
    return outcome?.kind === "return" ? outcome.value : undefined;
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
            return {
                kind: "return",
                value: statement.argument ? evaluation.evaluate(statement.argument, scope) : undefined,
            };
        case "ForOfStatement":
        case "ForInStatement":
        case "ForStatement":
        case "WhileStatement":
            return runLoop(statement, scope, evaluation, (inner, around) => run(inner, around, evaluation));
        case "BreakStatement":
        case "ContinueStatement":
            if (statement.label) {
                throw new UnsupportedExpressionError("labels are not supported");
            }
            return { kind: statement.type === "BreakStatement" ? "break" : "continue" };
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
    if (expression.type === "AssignmentExpression") {
        const { left, right, operator } = expression;
        assign(left, scope, (before) => {
            const value = evaluation.evaluate(right, scope);
            return operator === "="
                ? value
                : evaluation.budget.makes(binary(operator.slice(0, -1) as BinaryOperator, before(), value));
        });
        return;
    }
    if (expression.type === "UpdateExpression") {
        const by = expression.operator === "++" ? 1 : -1;
        assign(expression.argument, scope, (before) => toNumber(before()) + by);
        return;
    }
    evaluation.evaluate(expression, scope);
}

/** Only names have new values: a list or an object may be seen elsewhere, too. */
function assign(target: Pattern | Expression, scope: Scope, valueOf: (before: () => Value) => Value): void {
    const { name } = target.type === "Identifier" ? target : {};
    if (
        name === undefined ||
        !scope.assign(
            name,
            valueOf(() => scope.get(name)),
        )
    ) {
        throw new UnsupportedExpressionError("this assignment is not supported");
    }
}

function calleeName(callee: { type: string }): string {
    const node = callee as { name?: string; property?: { name?: string } };
    return node.name ?? node.property?.name ?? "";
}
