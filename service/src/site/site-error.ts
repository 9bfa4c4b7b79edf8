/**
 * The site itself is at fault: a page that does not parse, a navigation entry without a page, an empty folder.
 *
 * `file` is relative to the site's folder, so the message is safe to show to whoever asked for the export.
 */
export class SiteError extends Error {
    override readonly name = "SiteError";

    constructor(
        readonly file: string,
        readonly line: number | undefined,
        reason: string,
        options?: ErrorOptions,
    ) {
        super(line === undefined ? `${file}: ${reason}` : `${file}:${line}: ${reason}`, options);
    }
}

/** Something about the site that its authors should know, but that does not stop the export. */
export interface SiteWarning {
    /** Relative to the site's folder. */
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}
