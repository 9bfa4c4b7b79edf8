import { advice, type BundleProblem } from "./advice.js";
import { StaticExportError } from "./static-export-error.js";

/** A bundle was refused. Nothing is left on disk. */
export class BundleError extends StaticExportError {
    readonly problem: BundleProblem;

    /** @param detail - the problem, possibly with entry names, but without the link's query */
    constructor(problem: BundleProblem, detail: string, cause?: unknown) {
        super(`Bundle refused: ${detail}. ${advice.bundle[problem]}`, detail, undefined, cause);
        this.problem = problem;
    }
}
