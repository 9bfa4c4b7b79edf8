import { type TocEntry } from "./headings.js";
import { type Lead } from "./lead.js";
import { type BesideText } from "./page-sides.js";
import { type SearchSection } from "../text/search-text.js";

/** A page's body as HTML, without the rest of the page. */
export interface RenderedBody {
    readonly html: string;
    /** The body for programs, if it differs from the page's source. */
    readonly markdown?: string | undefined;
    readonly toc: readonly TocEntry[];
    readonly sections: readonly SearchSection[];
    /** The page's description. */
    readonly lead?: Lead | undefined;
    /** Whether the body has its own first-level heading. */
    readonly hasTitle: boolean;
    /** Whether the page needs the script that draws diagrams. */
    readonly hasDiagram: boolean;
    readonly beside: BesideText | undefined;
}

/** The body of a generated page before its content is added. */
export const emptyBody: RenderedBody = {
    html: "",
    toc: [],
    sections: [],
    hasTitle: false,
    hasDiagram: false,
    beside: undefined,
};
