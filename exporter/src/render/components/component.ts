import { type HeadingIds } from "../../html/heading-ids.js";
import { type PageSides } from "../../html/page-sides.js";
import { type WarningKind } from "../../problems/warnings.js";
import { type SearchText } from "../../text/search-text.js";
import { type Value, type ValueRecord } from "../../text/script-value.js";

/** What a component can use of the page that it stands on. */
export interface ComponentHost {
    readonly search: SearchText;
    readonly sides: PageSides;
    readonly ids: HeadingIds;
    /** The address of a link or an image of the site, as it holds on this page. */
    link(href: string): string;
    /** @param near the beginning of the warning's cause, in lower case, where no position tells its line */
    warn(kind: WarningKind, reason: string, near?: string): void;
    /** Anchors for links that follow other rules than ours to the part of the page with this title and id. */
    anchors(title: string, id: string): string;
    /** A text that may hold Markdown, such as a caption, as HTML without a paragraph around it. */
    inlineMarkdown(text: string): string;
    /** Any value as HTML: text, JSX, lists of both. */
    renderValue(value: Value): string;
    /** An icon as HTML: a name of a set, a picture's address, or JSX. Empty when there is none. */
    icon(icon: Value, style?: Value): string;
    codeBlock(code: string, language: string | undefined, meta: string | undefined): string;
}

export interface ComponentUse {
    readonly name: string;
    readonly attributes: ValueRecord;
    readonly host: ComponentHost;
    /** The element's content as HTML. */
    readonly children: () => string;
    /** The element's content as plain text. */
    readonly text: () => string;
    /** The element's content in an element of HTML, with the attributes as JSX has them. */
    readonly element: (tagName: string, attributes: ValueRecord) => string;
}

export type Component = (use: ComponentUse) => string;
