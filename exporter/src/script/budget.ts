import { UnsupportedExpressionError } from "./value.js";

const maxSteps = 200_000;
const maxDepth = 200;
const maxCharacters = 4_000_000;
/** Pages that are written out at length use more components. */
const stepsOfACharacter = 4;
const charactersOfAStep = 200;

/** The page has computed as much as it may. */
export class BudgetError extends UnsupportedExpressionError {}

/** How much one page may compute, so that an export's time and memory do not depend on what its pages compute. */
export class Budget {
    #steps = 0;
    #characters = 0;
    #depth = 0;
    readonly #maxSteps: number;

    /** @param pageLength the characters of the page's source */
    constructor(pageLength = 0) {
        this.#maxSteps = maxSteps + pageLength * stepsOfACharacter;
    }

    step(cost = 1): void {
        this.#steps += cost;
        if (this.#steps > this.#maxSteps) {
            throw new BudgetError("the page computes too much");
        }
    }

    /** Charges an operation by the size of the text or list that it reads. */
    reads(value: unknown): void {
        if (typeof value === "string" || Array.isArray(value)) {
            this.step(value.length / charactersOfAStep);
        }
    }

    /** Charges what an operation made. */
    makes<T>(value: T): T {
        if (typeof value === "string") {
            this.text(value);
        } else if (Array.isArray(value)) {
            this.step(value.length);
        }
        return value;
    }

    text(text: string): string {
        this.#characters += text.length;
        if (this.#characters > maxCharacters) {
            throw new BudgetError("the page computes too much text");
        }
        return text;
    }

    /** Runs something that may come back here, such as a function that calls itself. */
    nested<T>(work: () => T): T {
        if (this.#depth >= maxDepth) {
            throw new BudgetError("a function or a component calls itself too often");
        }
        this.#depth += 1;
        try {
            return work();
        } finally {
            this.#depth -= 1;
        }
    }
}
