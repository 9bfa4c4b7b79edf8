import type { Expression } from "estree-jsx";
import { type Budget } from "./budget.js";
import { type Scope, type Value } from "./value.js";

/** What the parts of the evaluator ask of each other. */
export interface Evaluation {
    readonly budget: Budget;
    readonly evaluate: (node: Expression, scope: Scope) => Value;
    /** Whether the code made the list or the object itself, so that it may change it. */
    readonly owns: (value: object) => boolean;
    readonly call: (callee: Value, args: readonly Value[]) => Value;
}
