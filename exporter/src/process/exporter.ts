import { type LeftOutEntries } from "../read/files/source-files.js";
import { type SiteOptions } from "../plan/site-plan.js";
import { type CountedWarnings } from "../problems/warning-log.js";

/** The input of one export. All folders are absolute. */
export interface ExportRequest extends SiteOptions {
    excludedDirs: readonly string[];
    version?: string;
    /** Whether warnings fail the export. */
    strict?: boolean;
    /** The file for all warnings, with one line of JSON for each place. */
    warningsFile?: string;
    /** The number of threads that render pages. @default 1 */
    cores?: number;
    /** The pages that are read as Markdown, because the parser of MDX ends the process at them. */
    markdownPages?: readonly string[];
    /** An empty folder for this job only; its content is removed afterwards. */
    workDir: string;
    /** The folder for the cache, which is preserved between the exports of this domain. */
    cacheDir: string;
}

/** The input of an export to a folder instead of an archive. */
export interface FolderExportRequest extends ExportRequest {
    /** The folder for the site's files, which must be empty and is created if missing. */
    outDir: string;
}

export interface FolderExportResult {
    pageCount: number;
    /** One sentence for each third-party service about the data that pages send to this service. */
    sends?: readonly string[];
    /** The number of unfinished pages that were left out: drafts, and pages that the settings exclude. */
    draftCount?: number;
    leftOut?: LeftOutEntries;
    /** Notes for the site's authors about an export that succeeded. */
    warnings?: CountedWarnings;
}

export interface ExportResult extends FolderExportResult {
    /** The finished `tar.gz`, inside the work folder. */
    archivePath: string;
    sizeBytes: number;
    sha256: string;
}

/** The result of an export: an archive, or no archive if the request names a folder for the files. */
export type ResultOf<Request> = Request extends FolderExportRequest ? FolderExportResult : ExportResult;

export interface ExportControl {
    /** @param progress percent, 0 to 100 */
    onProgress(progress: number, pageCount: number): void;
    signal: AbortSignal;
}

/**
 * Turns a folder of documentation into one archive. A rejection fails the job with the error's message, which is shown
 * to the client and names the problem of the site, with file and line if known.
 */
export interface Exporter {
    export(request: ExportRequest, control: ExportControl): Promise<ExportResult>;
    close?(): Promise<void>;
}

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
