import { UnsupportedExpressionError } from "../../text/script-value.js";

const maxSteps = 200_000;
const maxDepth = 200;
const maxCharacters = 4_000_000;
/** The budget of a page grows with its length. */
const stepsOfACharacter = 4;

/** Limits the computed and imported content of one page, which would otherwise take unlimited time and memory. */
export class Budget {
    #steps = 0;
    #characters = 0;
    #depth = 0;
    readonly #maxSteps: number;

    /** @param pageLength the number of characters of the page's source */
    constructor(pageLength: number) {
        this.#maxSteps = maxSteps + pageLength * stepsOfACharacter;
    }

    step(): void {
        this.#steps += 1;
        if (this.#steps > this.#maxSteps) {
            throw new UnsupportedExpressionError("the page computes too much");
        }
    }

    text(text: string): string {
        this.#characters += text.length;
        if (this.#characters > maxCharacters) {
            throw new UnsupportedExpressionError("the page computes too much text");
        }
        return text;
    }

    /** Renders content that may recurse, such as a snippet that shows itself. */
    nested<T>(work: () => T): T {
        if (this.#depth >= maxDepth) {
            throw new UnsupportedExpressionError("a function or a component calls itself too often");
        }
        this.#depth += 1;
        try {
            return work();
        } finally {
            this.#depth -= 1;
        }
    }
}
