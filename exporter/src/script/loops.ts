import type { ForInStatement, ForOfStatement, ForStatement, Pattern, Statement, WhileStatement } from "estree-jsx";
import { bindPattern } from "./bind-pattern.js";
import { itemsOf } from "./collections.js";
import { type Evaluation } from "./evaluation.js";
import { isValueRecord, Scope, UnsupportedExpressionError, type Value } from "./value.js";

export type Loop = ForStatement | ForOfStatement | ForInStatement | WhileStatement;

/** Abrupt completion of a statement: return, break or continue. */
export type Outcome =
    { readonly kind: "return"; readonly value: Value } | { readonly kind: "break" | "continue" } | undefined;

type Run = (statement: Statement, scope: Scope) => Outcome;

/** Each turn costs a step at least, so that the page's budget ends a loop that goes on without end. */
export function runLoop(loop: Loop, scope: Scope, evaluation: Evaluation, run: Run): Outcome {
    for (const turn of turnsOf(loop, scope, evaluation, run)) {
        const outcome = run(loop.body, turn);
        if (outcome?.kind === "return") {
            return outcome;
        }
        if (outcome?.kind === "break") {
            break;
        }
    }
    return undefined;
}

/** The names that each turn of a loop sees. */
function* turnsOf(loop: Loop, scope: Scope, evaluation: Evaluation, run: Run): Generator<Scope, void> {
    switch (loop.type) {
        case "ForOfStatement":
        case "ForInStatement": {
            const over = evaluation.evaluate(loop.right, scope);
            for (const item of loop.type === "ForInStatement" ? keysOf(over) : turnedOver(over)) {
                const turn = new Scope(scope);
                bindPattern(declaredBy(loop), item, turn, evaluation);
                yield turn;
            }
            return;
        }
        case "WhileStatement":
            while (evaluation.evaluate(loop.test, scope)) {
                yield new Scope(scope);
            }
            return;
        case "ForStatement": {
            const { init, test, update } = loop;
            let turn = new Scope(scope);
            if (init) {
                run(
                    init.type === "VariableDeclaration" ? init : { type: "ExpressionStatement", expression: init },
                    turn,
                );
            }
            while (!test || evaluation.evaluate(test, turn)) {
                yield turn;
                // Functions that were made in a turn keep its values, as in JavaScript.
                evaluation.budget.step(turn.size);
                turn = turn.copy();
                if (update) {
                    run({ type: "ExpressionStatement", expression: update }, turn);
                }
            }
        }
    }
}

function declaredBy({ left }: ForOfStatement | ForInStatement): Pattern {
    const [first] = left.type === "VariableDeclaration" ? left.declarations : [];
    if (first === undefined) {
        throw new UnsupportedExpressionError("a loop that does not declare its own name is not supported");
    }
    return first.id;
}

function turnedOver(value: Value): readonly Value[] {
    const items = itemsOf(value);
    if (items === undefined) {
        throw new UnsupportedExpressionError("a loop can only go over a list, a text, a set or a map");
    }
    return items;
}

function keysOf(value: Value): readonly string[] {
    return isValueRecord(value) || Array.isArray(value) ? Object.keys(value) : [];
}
