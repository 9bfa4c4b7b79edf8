import type { Statement, SwitchStatement } from "estree-jsx";
import { type Evaluation } from "./evaluation.js";
import { type Outcome } from "./loops.js";
import { Scope } from "./value.js";

export function runSwitch(
    { discriminant, cases }: SwitchStatement,
    scope: Scope,
    evaluation: Evaluation,
    run: (statement: Statement, scope: Scope) => Outcome,
): Outcome {
    const value = evaluation.evaluate(discriminant, scope);
    const own = new Scope(scope);
    const matching = cases.findIndex(({ test }) => test && evaluation.evaluate(test, own) === value);
    const first = matching === -1 ? cases.findIndex(({ test }) => !test) : matching;
    const statements = first === -1 ? [] : cases.slice(first).flatMap(({ consequent }) => consequent);
    for (const statement of statements) {
        const outcome = run(statement, own);
        if (outcome !== undefined) {
            return outcome.kind === "break" ? undefined : outcome;
        }
    }
    return undefined;
}
