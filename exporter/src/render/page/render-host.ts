import { type SourcePlace, type WarningKind } from "../../problems/warnings.js";
import { type TocEntry } from "../../html/headings.js";
import { type Lead } from "../../html/lead.js";
import { type BesideText } from "../../html/page-sides.js";
import { type IconLibrary } from "../../html/icons/icon-set.js";
import { type SearchSection } from "../../text/search-text.js";
import { type ModuleFiles } from "../modules/module-files.js";

/** A page's body as HTML, without the page around it. */
export interface RenderedBody {
    readonly html: string;
    readonly toc: readonly TocEntry[];
    readonly sections: readonly SearchSection[];
    /** The page's description. */
    readonly lead?: Lead | undefined;
    /** Whether the body brings its own first-level heading. */
    readonly hasTitle: boolean;
    /** Whether the page needs the script that draws diagrams. */
    readonly hasDiagram: boolean;
    readonly beside: BesideText | undefined;
}

/** A page's body, and the other files that it was rendered from. */
export interface RenderedPage {
    readonly body: RenderedBody;
    readonly files: readonly string[];
}

/** A link or a problem stands on the page, or in a file that it imports. */
export interface RenderHost {
    readonly modules: ModuleFiles;
    readonly iconLibrary: IconLibrary | undefined;
    link(href: string, place: SourcePlace): string;
    /** @param near the beginning of the warning's cause, in upper or lower case, for a place without a line */
    warn(kind: WarningKind, place: SourcePlace, reason: string, near?: string): void;
}
