import { type ApiDisplay } from "../../read/settings/site-settings.js";

/** The context in which parts of API pages are rendered. */
export interface ApiContext {
    /**
     * A text of the document as HTML.
     * @param minLevel the level of its first headings; by default below the page's sections
     */
    readonly markdown: (text: string, minLevel?: number) => string;
    readonly code: (code: string, language: string, title?: string) => string;
    readonly display: ApiDisplay;
    /** Fields below the first level are shown while the document says less about a page's fields than this. */
    readonly maxCharacters: number;
    /** The address of a model's page, for fields that have no room on this page. */
    readonly modelHref: (model: string) => string | undefined;
    /** Called with each part without room. */
    readonly onNotShown: (isElsewhere: boolean) => void;
}

/** How much a page shows of a document; less on a page that was made for one model, since each has its page. */
export const maxCharacters = { ofPage: 150_000, ofModel: 40_000 } as const;
