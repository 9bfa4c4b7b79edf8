import { type ApiDisplay } from "../../read/settings/site-settings.js";

/** The context in which parts of API pages are rendered. */
export interface ApiContext {
    /**
     * Writes Markdown from the document as HTML.
     * @param minLevel the level of its first headings; by default below the page's sections
     */
    readonly markdown: (text: string, minLevel?: number) => string;
    readonly code: (code: string, language: string, title?: string) => string;
    readonly display: ApiDisplay;
    /** Pages show deeper levels of fields until the document's text in the fields reaches this length. */
    readonly maxCharacters: number;
    /** The address of a model's page, for fields that do not fit on this page. */
    readonly modelHref: (model: string) => string | undefined;
    /** Called with each part that does not fit. */
    readonly onNotShown: (isElsewhere: boolean) => void;
}

/**
 * The size limit for the parts of a document on a page; lower on a page that was generated for one model, because each
 * model has its own page.
 */
export const maxCharacters = { ofPage: 150_000, ofModel: 40_000 } as const;
