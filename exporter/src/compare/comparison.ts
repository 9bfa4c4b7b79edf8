/** A page, by its address. */
export interface ComparedPage {
    /** Such as `/guides/start`. */
    readonly page: string;
    readonly title: string;
}

export interface DeadLink {
    /** The page that contains the link. */
    readonly page: string;
    readonly href: string;
}

/** The changes for readers between two exports of a site. */
export interface Comparison {
    readonly added: readonly ComparedPage[];
    readonly changed: readonly ComparedPage[];
    readonly removed: readonly ComparedPage[];
    /** Broken links of the new site that the old site did not have, or that worked there. */
    readonly deadLinks: readonly DeadLink[];
    /** Pages that everybody could read, but now only certain readers can. */
    readonly becomePrivate: readonly ComparedPage[];
    /** Pages that only certain readers could read, but now everybody can. */
    readonly becomePublic: readonly ComparedPage[];
    /** Removed pages without a redirect to another page. */
    readonly missingRedirects: readonly ComparedPage[];
}
