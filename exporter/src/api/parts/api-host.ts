import { type ApiDisplay } from "../../read/settings/site-settings.js";

/** What the pages of an API document need from the room that renders pages. */
export interface ApiHost {
    /**
     * A text of the document as HTML.
     *
     * @param minLevel of its headings; below those of the page's sections by default
     */
    readonly markdown: (text: string, minLevel?: number) => string;
    readonly code: (code: string, language: string, title?: string) => string;
    readonly display: ApiDisplay;
}
