import { advice } from "./advice.js";
import { StaticExportError } from "./static-export-error.js";

export type BundleProblem =
    | "not-an-archive"
    | "corrupt"
    | "unsafe-path"
    | "unsafe-link"
    | "unsafe-entry"
    | "duplicate-entry"
    | "too-many-bytes"
    | "too-many-files"
    | "size-mismatch"
    | "digest-mismatch"
    | "unsafe-redirect"
    | "unsafe-address"
    | "folder-in-use";

/** A bundle was refused. Nothing of it is left on disk. */
export class BundleError extends StaticExportError {
    readonly problem: BundleProblem;

    /** @param detail - what was found, with entry names but without the link's query */
    constructor(problem: BundleProblem, detail: string, cause?: unknown) {
        super(`Bundle refused: ${detail}. ${advice.bundle[problem]}`, detail, undefined, cause);
        this.problem = problem;
    }
}
