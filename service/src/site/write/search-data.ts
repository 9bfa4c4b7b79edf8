import { type SearchSection } from "../render/search-text.js";
import { htmlFileOf } from "../read/routes.js";

export interface SearchPage {
    readonly route: string;
    readonly title: string;
    readonly description: string | undefined;
    readonly sections: readonly SearchSection[];
}

/**
 * The text of all pages as a script: a page on disk may load scripts, but may not fetch. The browser reads it on the
 * first search and looks through it directly; an index would be larger than the text (measured: 11 MB for 7 MB).
 */
export const searchDataStart = "staticExportSearch([\n";
export const searchDataEnd = "]);\n";

export function searchEntry({ route, title, description, sections }: SearchPage): string {
    const parts = sections
        .filter((section) => section.id !== "" || section.text !== "")
        .map(({ id, heading, text }) => [id, heading, text]);
    return `${JSON.stringify([htmlFileOf(route), title, description ?? "", parts])},\n`;
}
