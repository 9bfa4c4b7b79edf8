import type { BlockStatement, Expression, Statement } from "estree-jsx";
import { bindPattern } from "./bind-pattern.js";
import { type Evaluation } from "./evaluation.js";
import { runTry, thrown } from "./exceptions.js";
import { runLoop, type Outcome } from "./loops.js";
import { wordsOf } from "./operators.js";
import { runSwitch } from "./switch.js";
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
        case "SwitchStatement":
            return runSwitch(statement, scope, evaluation, (inner, around) => run(inner, around, evaluation));
        case "BreakStatement":
        case "ContinueStatement":
            if (statement.label) {
                throw new UnsupportedExpressionError("labels are not supported");
            }
            return { kind: statement.type === "BreakStatement" ? "break" : "continue" };
        case "ThrowStatement":
            throw thrown(evaluation.evaluate(statement.argument, scope));
        case "TryStatement":
            return runTry(statement, scope, evaluation, (inner, around) => run(inner, around, evaluation));
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
            throw new UnsupportedExpressionError(`${wordsOf(statement.type)} is not supported`);
    }
}

function runExpression(expression: Expression, scope: Scope, evaluation: Evaluation): void {
    if (expression.type === "CallExpression" && effects.has(calleeName(expression.callee))) {
        return;
    }
    evaluation.evaluate(expression, scope);
}

function calleeName(callee: { type: string }): string {
    const node = callee as { name?: string; property?: { name?: string } };
    return node.name ?? node.property?.name ?? "";
}
