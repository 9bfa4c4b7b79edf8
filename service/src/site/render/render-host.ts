import { type WarningKind } from "../warnings.js";
import { type TocEntry } from "./headings.js";
import { type Lead } from "./lead.js";
import { type IconSettings } from "./icons/icon.js";
import { type SearchSection } from "./search-text.js";
import { type ModuleLoader } from "./values/module-loader.js";

/** A page's body as HTML, without the page around it. */
export interface RenderedBody {
    readonly html: string;
    readonly toc: readonly TocEntry[];
    readonly sections: readonly SearchSection[];
    /** The page's description. */
    readonly lead?: Lead;
    /** Whether the body brings its own first-level heading. */
    readonly hasTitle: boolean;
    /** Whether the page needs the script that draws diagrams. */
    readonly hasDiagram: boolean;
}

/** Where a link or a problem stands: the page, or a file that it imports. */
export interface Place {
    readonly file: string;
    readonly line: number | undefined;
}

export interface RenderHost {
    readonly modules: ModuleLoader;
    readonly icons: IconSettings;
    link(href: string, place: Place): string;
    warn(kind: WarningKind, place: Place, reason: string): void;
}
