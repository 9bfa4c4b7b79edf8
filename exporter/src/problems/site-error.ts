import { toOneLine } from "../text/strings.js";
import { type KeptWarning, type WarningKind } from "./warning-log.js";

const maxNameLength = 300;

/**
 * An error in the site itself: a page that does not parse, a navigation entry without a page, an empty folder. `file`
 * is relative to the site's folder, and the message is one line, so the error is safe to log and to show to the client.
 */
export class SiteError extends Error {
    override readonly name = "SiteError";
    readonly file: string;

    constructor(
        file: string,
        readonly line: number | undefined,
        reason: string,
        options?: ErrorOptions,
    ) {
        const shown = toOneLine(file, maxNameLength);
        super(toOneLine(line === undefined ? `${shown}: ${reason}` : `${shown}:${line}: ${reason}`), options);
        this.file = shown;
    }
}

/** A strict export fails if there are warnings. The message contains the first warning and the number of warnings. */
export class StrictError extends SiteError {
    constructor(
        readonly warnings: readonly [KeptWarning, ...KeptWarning[]],
        readonly warningCounts: Readonly<Partial<Record<WarningKind, number>>>,
    ) {
        const [{ file, line, reason }] = warnings;
        const total = Object.values(warningCounts).reduce((sum, count) => sum + count, 0);
        const more = total === 1 ? "" : ` (and ${total - 1} more ${total === 2 ? "warning" : "warnings"})`;
        super(file, line, `${reason}${more}`);
    }
}
