/** A question in a reader's words, and the pages that answer it. */
export type Question = readonly [question: string, ...pages: string[]];

/**
 * The questions about a site, written before the site was searched. Pages that were found first and do answer the
 * question were added later.
 */
export interface AskedSite {
    /** The folder of the site's sources, from the root of the repository. */
    readonly folder: string;
    /** Questions with which the ranking was chosen. */
    readonly known: readonly Question[];
    /** Questions that were written after the ranking was chosen: change nothing because of them. */
    readonly unseen: readonly Question[];
}
