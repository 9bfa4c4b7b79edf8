import { type FrontMatter } from "./front-matter.js";

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/;

/** The day of a page's last change. Files' own times tell when they were fetched, so only what a page says itself counts. */
export function dayOfChange({ values = {} }: FrontMatter): string | undefined {
    for (const name of ["lastUpdatedDate", "lastmod", "lastModified", "lastUpdated", "updated", "date"]) {
        const value = values[name];
        const day = value === undefined ? undefined : dayPattern.exec(String(value))?.[0];
        if (day !== undefined) {
            return day;
        }
    }
    return undefined;
}
