import { type HastNode } from "satteri";
import { HeadingIds } from "./heading-ids.js";
import { type Properties, writeAttributes } from "./html-attributes.js";
import { type PageSides } from "./page-sides.js";
import { escapeHtml } from "../text/html-text.js";
import { type SearchText } from "../text/search-text.js";
import { childrenOf, hasExpression, isElement, textOf } from "../text/syntax-tree.js";
import { word } from "../words/words.js";

export interface TocEntry {
    readonly id: string;
    readonly text: string;
    readonly depth: number;
}

export interface HeadingOptions {
    /** The ids, which all text on the page shares. */
    readonly ids: HeadingIds;
    /** The minimum level of the headings: 1 for a whole page, higher for text below one of the page's headings. */
    readonly minLevel: number;
    /**
     * The title from the front matter. A first-level heading replaces the front matter's title if the heading begins
     * the page or has the same text. A page without a title in its front matter uses its first first-level heading, or
     * else its only second-level heading if that heading begins the page and is the page's name.
     */
    readonly title: string | undefined;
    /** The page's name, if the text is a whole page. */
    readonly pageName: string | undefined;
}

export interface HeadingLabel {
    /** The heading's text, as readers see it. */
    readonly text: string;
    /** The text without the values of expressions, from which other platforms and earlier versions make ids. */
    readonly written?: string;
}

/** Writes a page's headings with their ids and collects the table of contents. */
export class Headings {
    readonly toc: TocEntry[] = [];
    /** Whether a first-level heading in the text is the page's title, so that no title is added above the page. */
    hasTitle = false;
    ids: HeadingIds;
    readonly #title: string | undefined;
    readonly #sectionAsTitle: string | undefined;
    #slugs: Set<string> | undefined;
    #isWithinLink = false;

    constructor(
        private readonly root: HastNode,
        private readonly search: SearchText,
        private readonly sides: PageSides,
        private readonly options: HeadingOptions,
    ) {
        const { ids, title, pageName } = options;
        this.ids = ids;
        this.#title = title === undefined || beginsWith("h1", root) ? undefined : HeadingIds.slugOf(title);
        const isNamedBySection = title === undefined && pageName !== undefined && isOneSection(root);
        this.#sectionAsTitle = isNamedBySection ? HeadingIds.slugOf(pageName) : undefined;
    }

    /** Renders the content of a link. Links cannot be nested, so headings within a link get no anchor link. */
    withinLink(render: () => string): string {
        const before = this.#isWithinLink;
        this.#isWithinLink = true;
        try {
            return render();
        } finally {
            this.#isWithinLink = before;
        }
    }

    write(givenName: string, properties: Properties, label: HeadingLabel, inner: () => string): string {
        const { ids } = this;
        const { minLevel } = this.options;
        const { isFolded } = this.sides;
        const depth = Math.max(Number(givenName.slice(1)), minLevel);
        const tagName = `h${depth}`;
        const text = label.text.trim();
        const { noAnchor, id: given, ...rest } = properties;
        // A heading without text may contain a picture, but the picture gives the anchor link no name.
        const picture = text === "" ? inner().trim() : undefined;
        if (picture === "" && given === undefined) {
            return "";
        }
        if (!isFolded && this.#isTitle(depth, text)) {
            this.hasTitle = true;
            const id = this.#idOfTitle(depth, given, text);
            const aliases = depth === 1 || id === undefined ? "" : this.#anchorsOf(label, id);
            return `<h1${writeAttributes({ ...rest, id })}>${aliases}${picture ?? inner()}</h1>`;
        }
        const id = typeof given === "string" && given !== "" ? ids.claimExact(given) : ids.claim(text);
        const aliases = this.#anchorsOf(label, id);
        if (depth <= 3) {
            this.list(id, text, Math.max(depth, 2));
            this.search.open(id, text);
        }
        this.search.separate();
        const content = picture ?? inner();
        this.search.separate();
        const anchorLabel = `${word("linkToSection")}: ${escapeHtml(text)}`;
        const href = escapeHtml(encodeURI(id));
        const anchor =
            noAnchor === true || this.#isWithinLink || text === ""
                ? ""
                : `<a class="anchor" href="#${href}" aria-label="${anchorLabel}">#</a>`;
        return `<${tagName}${writeAttributes({ ...rest, id })}>${aliases}${content}${anchor}</${tagName}>`;
    }

    /** Adds a part of the page to the table of contents, unless it is visible only after a click. */
    list(id: string, text: string, depth = 2): void {
        if (!this.sides.isFolded && text !== "") {
            this.toc.push({ id, text, depth });
        }
    }

    #isTitle(depth: number, text: string): boolean {
        if (this.hasTitle) {
            return false;
        }
        return depth === 1
            ? this.#title === undefined || this.#title === HeadingIds.slugOf(text)
            : depth === 2 && this.#sectionAsTitle !== undefined && this.#sectionAsTitle === HeadingIds.slugOf(text);
    }

    /** A title is also a link target, but must not take a section's id. */
    #idOfTitle(depth: number, given: unknown, text: string): string | undefined {
        if (typeof given === "string" && given !== "") {
            return this.ids.claimExact(given);
        }
        return depth === 1 && this.#sectionSlugs().has(HeadingIds.slugOf(text)) ? undefined : this.ids.claim(text);
    }

    #sectionSlugs(): ReadonlySet<string> {
        this.#slugs ??= headingSlugs(this.root, new Set());
        return this.#slugs;
    }

    /** Anchors for the title of a part that is not a heading. @see anchors */
    anchorsOfPart(title: string, id: string): string {
        return HeadingIds.isPlain(title) ? "" : this.anchors(title, id);
    }

    #anchorsOf({ text, written = text }: HeadingLabel, id: string): string {
        const hasValues = written !== text && written.trim() !== "";
        return this.anchors(text.trim(), id) + (hasValues ? this.anchors(written.trim(), id) : "");
    }

    /** Returns anchors for the heading's ids on other platforms, unless our rules give another heading the same id. */
    anchors(text: string, id: string): string {
        const aliases = this.ids.aliases(text, id, () => this.#sectionSlugs());
        return aliases.map((alias) => `<span id="${escapeHtml(alias)}"></span>`).join("");
    }
}

function beginsWith(tagName: string, root: HastNode): boolean {
    const first = childrenOf(root).find(
        (node) => isElement(node) || node.type === "mdxJsxFlowElement" || textOf(node).trim() !== "",
    );
    return first?.type === "element" && first.tagName === tagName;
}

function isOneSection(root: HastNode): boolean {
    const sections = childrenOf(root).filter((node) => isElement(node) && /^h[12]$/.test(node.tagName));
    return sections.length === 1 && beginsWith("h2", root);
}

function headingSlugs(node: HastNode, slugs: Set<string>): Set<string> {
    if (isElement(node) && /^h[2-6]$/.test(node.tagName)) {
        // The value of an expression is not known before the heading is written.
        if (!hasExpression(node)) {
            slugs.add(HeadingIds.slugOf(textOf(node)));
        }
    } else {
        childrenOf(node).forEach((child) => headingSlugs(child, slugs));
    }
    return slugs;
}
