import { type WarningKind } from "../../problems/warnings.js";
import { type SearchText } from "../../text/search-text.js";
import { type Value, type ValueRecord } from "../../script/value.js";

/** Where the content of a component stands. */
export interface ComponentSides {
    /** Runs `render` for something that readers see only after a click, so that the contents list leaves it out. */
    folded<T>(render: () => T): T;
    /** Runs `render` for something that keeps all its content, also what stands beside the text elsewhere. */
    whole<T>(render: () => T): T;
    /** Puts HTML beside the page's text; returns it where it has to stay in its place. */
    beside(html: string): string;
}

/** What a component can use of the page that it stands on. */
export interface ComponentHost {
    readonly search: SearchText;
    /** The address of a link or an image of the site, as it holds on this page. */
    link(href: string): string;
    warn(kind: WarningKind, reason: string): void;
    /** A unique id for a part of the page; `wanted` itself when it is still free. */
    claimId(wanted: string): string;
    /** Anchors for links that follow other rules than ours to the part of the page with this title and id. */
    anchors(title: string, id: string): string;
    /** A text that may hold Markdown, such as a caption, as HTML without a paragraph around it. */
    inlineMarkdown(text: string): string;
    /** Any value as HTML: text, JSX, lists of both. */
    renderValue(value: Value): string;
    /** An icon as HTML: a name of a set, a picture's address, or JSX. Empty when there is none. */
    icon(icon: Value, style?: Value): string;
    /** An `<img>` of the site or of elsewhere. */
    image(src: string, alt: string): string;
    codeBlock(code: string, language: string | undefined, meta: string | undefined): string;
    readonly sides: ComponentSides;
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
