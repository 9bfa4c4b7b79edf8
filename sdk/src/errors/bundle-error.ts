import { advice, type BundleProblem } from "./advice.js";
import { StaticExportError } from "./static-export-error.js";

/** A bundle was refused. Nothing is left on disk. */
export class BundleError extends StaticExportError {
    readonly problem: BundleProblem;

    /**
     * @param detail - the problem, possibly with entry names, but without the link's query
     * @param next - what to do
     */
    constructor(problem: BundleProblem, detail: string, cause?: unknown, next: string = advice.bundle[problem]) {
        super(`Bundle refused: ${detail}. ${next}`, detail, undefined, cause);
        this.problem = problem;
    }
}

/** Creates a function that throws an error again, with a caller's own advice for some problems of bundles. */
export function throwWithAdvice(nextOf: Partial<Record<BundleProblem, string>>): (error: unknown) => never {
    return (error) => {
        const next = error instanceof BundleError ? nextOf[error.problem] : undefined;
        throw error instanceof BundleError && next !== undefined
            ? new BundleError(error.problem, error.summary, error, next)
            : error;
    };
}

/** Throws an error again, for a caller without settings for the limits. */
export const throwWithoutSettings = throwWithAdvice({
    "too-many-bytes": advice.fixedLimit,
    "too-many-files": advice.fixedLimit,
});
