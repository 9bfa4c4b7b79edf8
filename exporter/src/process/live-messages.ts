import { type LiveFile, type PageState } from "../live/live-page.js";
import { type LiveChange } from "../live/site-changes.js";
import { type CountedWarnings, type SiteWarning } from "../problems/warning-log.js";

/** The site as it was planned. */
export interface PlannedSite {
    pageCount: number;
    /** Why the current site cannot be shown. */
    problem: string | undefined;
}

/** The warnings of all pages. */
export interface CheckedPages {
    /** Each place. */
    warnings: readonly SiteWarning[];
    /** The warnings in the form of an export's result. */
    summary: CountedWarnings;
}

/** The calls of a live site, with their arguments and results. */
export interface LiveCalls {
    open: { args: [sourceDir: string, workDir: string, markdownPages: readonly string[]]; result: PlannedSite };
    change: { args: [paths: readonly string[] | undefined]; result: LiveChange & PlannedSite };
    file: { args: [path: string]; result: LiveFile };
    state: { args: [path: string]; result: PageState };
    place: { args: [file: string]; result: string | undefined };
    check: { args: []; result: CheckedPages | undefined };
}

export type LiveCall = {
    [Name in keyof LiveCalls]: { readonly name: Name; readonly args: LiveCalls[Name]["args"] };
}[keyof LiveCalls];

/** A call for the process that shows a site to its author. */
export interface LiveRequest {
    readonly liveId: number;
    readonly call: LiveCall;
}

export interface LiveResponse {
    readonly kind: "live";
    readonly id: number;
    readonly result?: unknown;
    /** The message of a failed call. */
    readonly error?: string;
}
