import { type ForeignSite } from "../foreign/sites.js";

/** The sites of the figures. They were chosen for their FAQs before any of them was searched, and tune nothing. */
export const measuredSites: readonly ForeignSite[] = [
    { repository: "Flagsmith/flagsmith", folder: "docs" },
    { repository: "growthbook/growthbook", folder: "docs" },
    { repository: "upstash/docs", folder: "." },
];

/** Used for changes of the ranking. */
export const tuningSites: readonly ForeignSite[] = [
    { repository: "metriport/metriport", folder: "docs" },
    { repository: "jellyfin/jellyfin.org", folder: "docs" },
    { repository: "typescript-eslint/typescript-eslint", folder: "docs" },
    { repository: "hatchet-dev/hatchet", folder: "frontend/docs/content/docs" },
];
