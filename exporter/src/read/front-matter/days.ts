import { type FrontMatter } from "./front-matter.js";

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/;

/** The day of a page's last change. Files' own times tell when they were fetched, so only what a page says itself counts. */
export function dayOfChange({ values = {} }: FrontMatter): string | undefined {
    const names = ["lastUpdatedDate", "lastmod", "lastModified", "lastUpdated", "updated", "date"];
    return names.map((name) => dayPattern.exec(String(values[name]))?.[0]).find((day) => day !== undefined);
}
