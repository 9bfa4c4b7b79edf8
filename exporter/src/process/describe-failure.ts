import { toOneLine } from "../text/strings.js";
import { SiteError, StrictError } from "../problems/site-error.js";
import { type ExportError } from "./exporter.js";
import { readCurrentPage } from "./current-page.js";
import { StuckWorkerError } from "../write/workers/page-workers.js";
import { toExportWarnings } from "./export-warnings.js";

/**
 * The parts of a failure: the next step for the client, without paths of this machine; the details for the service's
 * log; and the problem for the site's authors.
 */
export type DescribedFailure = Pick<ExportError, "message" | "detail" | "warnings"> & {
    /** Whether the process cannot go on, and another process must export the site again with one thread. */
    readonly isStuck?: boolean;
};

/** Limits of the machine or the process, which no page of the site causes. */
const limits: Readonly<Record<string, string>> = {
    ENOSPC: "The disk is full: free space on it",
    EDQUOT: "The disk is full: free space on it",
    EMFILE: "Too many files are open: raise the limit of open files (ulimit -n)",
    ENFILE: "Too many files are open on this machine: raise fs.file-max",
    EAGAIN: "Too many processes are running: raise the limit of processes (ulimit -u, or the container's pids)",
    EFBIG: "A file is larger than this process may write: raise the limit of file sizes (ulimit -f)",
};

/** Describes why a job failed, and on which page. */
export function describeFailure(error: unknown, { workDir }: { workDir: string }): DescribedFailure {
    if (error instanceof StrictError) {
        return { message: error.message, warnings: toExportWarnings(error.warnings, error.warningCounts) };
    }
    if (error instanceof SiteError) {
        return { message: error.message };
    }
    if (error instanceof StuckWorkerError) {
        return { message: error.message, isStuck: true };
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const { code } = error as NodeJS.ErrnoException;
    const limit = limits[code ?? ""];
    if (limit !== undefined) {
        return { message: `${limit}, then start a new export.`, detail };
    }
    const page = readCurrentPage(workDir).file;
    if (page === "") {
        return { message: "The export failed unexpectedly. The log says why.", detail };
    }
    // The message says everything: the calls of a stack that is full are no help.
    return error instanceof RangeError && /call stack/.test(error.message)
        ? { message: toOneLine(`${page}: its content is nested too deeply: use fewer levels`) }
        : { message: toOneLine(`${page}: the page could not be exported: the log says why`), detail };
}
