import { type CountedWarnings } from "../problems/counted-warnings.js";

/** A failed export. The message and the warnings are shown to the client; the detail goes only to the service's log. */
export class ExportError extends Error {
    override readonly name = "ExportError";

    constructor(
        message: string,
        readonly detail?: string,
        readonly warnings?: CountedWarnings,
    ) {
        super(message);
    }
}
