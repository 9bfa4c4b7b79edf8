import { type SourcePlace, type WarningKind } from "../../problems/warning-log.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { type IconLibrary } from "../../html/icon-set.js";
import { type ModuleFiles } from "../modules/module-files.js";

/** A page's body, and the other files that contributed to it. */
export interface RenderedPage {
    readonly body: RenderedBody;
    readonly files: readonly string[];
}

/** The context in which a page is rendered. A place is on the page, or in a file that the page imports. */
export interface RenderContext {
    readonly modules: ModuleFiles;
    readonly iconLibrary: IconLibrary | undefined;
    link(href: string, place: SourcePlace): string;
    /** @param near the beginning of the warning's cause, in any case, if the line is unknown */
    warn(kind: WarningKind, place: SourcePlace, reason: string, near?: string): void;
}
