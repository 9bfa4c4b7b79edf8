import { SiteError } from "./site-error.js";
import { type KeptWarning, type WarningKind } from "./warnings.js";

/** A strict export fails if there are warnings. The message has the first warning and their number. */
export class StrictError extends SiteError {
    constructor(
        readonly warnings: readonly [KeptWarning, ...KeptWarning[]],
        readonly warningCounts: Readonly<Partial<Record<WarningKind, number>>>,
        total: number,
    ) {
        const [{ file, line, reason }] = warnings;
        const more = total === 1 ? "" : ` (and ${total - 1} more ${total === 2 ? "warning" : "warnings"})`;
        super(file, line, `${reason}${more}`);
    }
}
