/** Another project's documentation site, in a public repository. */
export interface ForeignSite {
    /** `owner/name` on GitHub. */
    readonly repository: string;
    /** The folder of the site's settings file; "." for the repository's root. */
    readonly folder: string;
}

/**
 * The sites whose figures the benchmark reports. The sites were chosen for their FAQs before any of them was searched,
 * and are not used for tuning.
 */
export const measuredSites: readonly ForeignSite[] = [
    { repository: "Flagsmith/flagsmith", folder: "docs" },
    { repository: "growthbook/growthbook", folder: "docs" },
    { repository: "upstash/docs", folder: "." },
];

/** The sites for tuning the ranking. */
export const tuningSites: readonly ForeignSite[] = [
    { repository: "metriport/metriport", folder: "docs" },
    { repository: "jellyfin/jellyfin.org", folder: "docs" },
    { repository: "typescript-eslint/typescript-eslint", folder: "docs" },
    { repository: "hatchet-dev/hatchet", folder: "frontend/docs/content/docs" },
];
