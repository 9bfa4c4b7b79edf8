import { type Budget } from "./budget.js";
import { type Caller } from "./value.js";

/** What the parts of the evaluator ask of each other. */
export interface Evaluation extends Caller {
    readonly budget: Budget;
    /** Whether the code made the list or the object itself, so that it may change it. */
    readonly owns: (value: object) => boolean;
}

/** The methods as functions that need not be called on the evaluator. */
export function boundTo(evaluation: Evaluation): Evaluation {
    const { budget, nextId } = evaluation;
    return {
        budget,
        evaluate: (node, scope) => evaluation.evaluate(node, scope),
        owns: (value) => evaluation.owns(value),
        call: (callee, values) => evaluation.call(callee, values),
        nextId,
    };
}
