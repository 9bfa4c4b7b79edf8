import { type HeadingIds } from "../html/heading-ids.js";
import { type PageSides } from "../html/page-sides.js";
import { type WarningKind } from "../problems/warning-log.js";
import { type SearchText } from "../text/search-text.js";
import { type Value, type ValueRecord } from "../text/script-value.js";

/** The context in which components are rendered. */
export interface ComponentContext {
    readonly search: SearchText;
    readonly sides: PageSides;
    readonly ids: HeadingIds;
    /** The definitions that the page's formulas share. */
    readonly macros: object;
    /** The address of a link or an image of the site, rewritten for this page. */
    link(href: string): string;
    /**
     * @param near the beginning of the warning's cause in lower case, which locates the line if the position is unknown
     */
    warn(kind: WarningKind, reason: string, near?: string): void;
    /**
     * Anchors with the ids that other platforms give a part with this title and id, so that links to those ids still
     * work.
     */
    anchors(title: string, id: string): string;
    /** Adds a part that is not a heading to the table of contents. */
    list(id: string, title: string): void;
    /** Whether content for only some readers (`humans`, `agents`) is written. */
    isFor(readers: string | undefined): boolean;
    /** Renders text that may contain Markdown, such as a caption, without a paragraph around it. */
    inlineMarkdown(text: string): string;
    /** Any value as HTML: text, JSX, or a list of both. */
    renderValue(value: Value): string;
    /** A value as text without markup. */
    plainText(value: Value): string;
    /** An icon as HTML: a name in a set, a picture's address, or JSX. Empty without one. */
    icon(icon: Value, style?: Value): string;
    codeBlock(code: string, language: string | undefined, meta: string | undefined): string;
}

export interface ComponentUse {
    readonly name: string;
    readonly attributes: ValueRecord;
    readonly context: ComponentContext;
    /** The element's content as HTML. */
    readonly children: () => string;
    /** The element's content as plain text. */
    readonly text: () => string;
    /** The element's content within an HTML element, with attributes named as in JSX. */
    readonly element: (tagName: string, attributes: ValueRecord) => string;
}

/** A component on a page, with the information for its Markdown. */
export interface TextUse {
    /** The value of an attribute as text; undefined if it is missing or needs the page's code. */
    readonly attribute: (...names: readonly string[]) => string | undefined;
    /** The value of an attribute; undefined if it is missing or needs the page's code. */
    readonly value: (name: string) => Value;
    readonly flag: (name: string) => boolean;
    /** The element's content as Markdown. */
    readonly inner: string;
    /** The element's number among its neighbours of the same name, from 1. */
    readonly number: number;
}

export type ComponentText = (use: TextUse) => string;

/** How an element is written as Markdown for programs. */
export interface TextRules {
    readonly text: ComponentText;
    /** Whether it is an entry of a list, without blank lines between the entries. */
    readonly isListed?: true;
    /** Whether it may occur within a line of text, where other elements show only their content. */
    readonly isInLine?: true;
}

interface Name {
    /**
     * Another meaning of a tag with this name: HTML or a placeholder in plain Markdown, or, also in MDX, text such as
     * the type `Promise<Error>`.
     */
    readonly mayBe?: "html" | "text";
}

/** A component that documentation platforms share, except its style. */
export interface Component extends TextRules, Name {
    readonly html: (use: ComponentUse) => string;
    /** Whether it numbers the components in it. */
    readonly isNumbered?: true;
    /** Whether it shows nothing of its content. */
    readonly isEmpty?: true;
    /** Whether it hides its content from some readers. */
    readonly mayHide?: true;
}

/** A name that authors often guess, from other documentation platforms. */
interface OtherName extends Name {
    readonly sameAs: string;
}

/** Components by their MDX names. */
export type Components = Readonly<Record<string, Component | OtherName>>;
