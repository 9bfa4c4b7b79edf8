import type { Statement, TryStatement } from "estree-jsx";
import { bindPattern } from "./bind-pattern.js";
import { BudgetError } from "./budget.js";
import { type Evaluation } from "./evaluation.js";
import { type Outcome } from "./loops.js";
import {
    emptyRecord,
    isValueRecord,
    Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "./value.js";

type Run = (statement: Statement, scope: Scope) => Outcome;

const kindsOfErrors = /^(?:Range|Reference|Syntax|Type)?Error$/;

/** What the code of a page has thrown. Where nothing catches it, it is left out like what cannot be worked out. */
class ThrownError extends UnsupportedExpressionError {
    constructor(readonly value: Value) {
        const said = isValueRecord(value) ? value["message"] : value;
        super(typeof said === "string" && said !== "" ? `its code throws "${said}"` : "its code throws an error");
    }
}

export function thrown(value: Value): Error {
    return new ThrownError(value);
}

/** `new Error(message)`; undefined for other names. */
export function createError(name: string, message: Value): ValueRecord | undefined {
    return kindsOfErrors.test(name)
        ? Object.assign(emptyRecord(), { name, message: message === undefined ? "" : message })
        : undefined;
}

/**
 * Catches what the code throws, and what it could not compute: what an export does not have, such as a browser's storage,
 * has no value on a platform's server either. The end of the budget is not caught, so that every page comes to an end.
 */
export function runTry(
    { block, handler, finalizer }: TryStatement,
    scope: Scope,
    evaluation: Evaluation,
    run: Run,
): Outcome {
    const attempt = (): Outcome => {
        try {
            return run(block, scope);
        } catch (error) {
            if (!handler || !isCatchable(error)) {
                throw error;
            }
            const inner = new Scope(scope);
            if (handler.param) {
                bindPattern(handler.param, caughtValue(error), inner, evaluation);
            }
            return run(handler.body, inner);
        }
    };
    if (!finalizer) {
        return attempt();
    }
    let outcome: Outcome;
    try {
        outcome = attempt();
    } catch (error) {
        const last = isCatchable(error) ? run(finalizer, scope) : undefined;
        if (last !== undefined) {
            return last;
        }
        throw error;
    }
    return run(finalizer, scope) ?? outcome;
}

function isCatchable(error: unknown): error is UnsupportedExpressionError {
    return error instanceof UnsupportedExpressionError && !(error instanceof BudgetError);
}

function caughtValue(error: UnsupportedExpressionError): Value {
    return error instanceof ThrownError ? error.value : createError("Error", error.message);
}
