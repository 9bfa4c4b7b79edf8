import { type SiteAddress } from "../../read/files/routes.js";
import { type ApiDisplay } from "../../read/settings/site-settings.js";

/** The context in which parts of API pages are rendered. */
export interface ApiContext {
    /**
     * Writes Markdown from the document as HTML.
     * @param minLevel the level of the first headings; by default, one level below the page's sections
     */
    readonly markdown: (text: string, minLevel?: number) => string;
    readonly code: (code: string, language: string, title?: string) => string;
    readonly display: ApiDisplay;
    /** Where the site and its documents are served. */
    readonly site?: SiteAddress;
    /** Pages show deeper levels of fields until the document's text in the fields reaches this length. */
    readonly maxCharacters: number;
    /** The address of a model's page, for fields that do not fit on this page. */
    readonly modelHref: (model: string) => string | undefined;
    /** Reports a part of the document that is missing from the page. */
    readonly warn: (reason: string) => void;
}

/** The first items of a list; a warning says how many others are only in the document. */
export function firstOf<T>(items: readonly T[], max: number, what: string, warn?: ApiContext["warn"]): readonly T[] {
    if (items.length > max) {
        warn?.(`a page shows only the first ${max} of ${items.length} ${what}: the document has the others`);
    }
    return items.slice(0, max);
}

/**
 * The size limit for the parts of a document on a page. The limit is lower for the generated page of a model, because
 * each model has its own page.
 */
export const maxCharacters = { ofPage: 150_000, ofModel: 40_000 } as const;
