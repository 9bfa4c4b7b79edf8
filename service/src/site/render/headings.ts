import { type HastNode } from "satteri";
import { HeadingIds } from "./heading-ids.js";
import { writeAttributes } from "./html-attributes.js";
import { escapeHtml } from "./html-text.js";
import { type SearchText } from "./search-text.js";
import { childrenOf, textOf } from "./syntax-tree.js";

export interface TocEntry {
    readonly id: string;
    readonly text: string;
    readonly depth: number;
}

/** Writes a page's headings with their ids and collects the table of contents. */
export class Headings {
    readonly ids = new HeadingIds();
    readonly toc: TocEntry[] = [];
    /** Whether the page has its own first-level heading. */
    hasTitle = false;
    readonly #root: HastNode;
    readonly #search: SearchText;
    #slugs: Set<string> | undefined;

    constructor(root: HastNode, search: SearchText) {
        this.#root = root;
        this.#search = search;
    }

    /** @param isFolded whether readers see the heading only after a click, so that the contents list leaves it out */
    write(
        tagName: string,
        properties: Readonly<Record<string, unknown>>,
        label: string,
        isFolded: boolean,
        inner: () => string,
    ): string {
        const depth = Number(tagName.slice(1));
        const text = label.trim();
        if (depth === 1 && !this.hasTitle && !isFolded) {
            this.hasTitle = true;
            return `<h1>${inner()}</h1>`;
        }
        const { noAnchor, id: given, ...rest } = properties;
        const id = typeof given === "string" && given !== "" ? this.ids.claimExact(given) : this.ids.claim(text);
        const aliases = this.#aliasesOf(text, id);
        if (depth === 2 || depth === 3) {
            if (!isFolded) {
                this.toc.push({ id, text, depth });
            }
            this.#search.open(id, text);
        }
        const content = inner();
        this.#search.add(" ");
        const anchorLabel = `Link to this section: ${escapeHtml(text)}`;
        const href = escapeHtml(encodeURI(id));
        const anchor = noAnchor === true ? "" : `<a class="anchor" href="#${href}" aria-label="${anchorLabel}">#</a>`;
        return `<${tagName}${writeAttributes({ ...rest, id })}>${aliases}${content}${anchor}</${tagName}>`;
    }

    /** Links that follow the rules of others arrive as well, unless another heading has that id by right. */
    #aliasesOf(text: string, id: string): string {
        const aliases = this.ids.aliases(text, id, () => {
            this.#slugs ??= headingSlugs(this.#root, new Set());
            return this.#slugs;
        });
        return aliases.map((alias) => `<span id="${escapeHtml(alias)}"></span>`).join("");
    }
}

function headingSlugs(node: HastNode, slugs: Set<string>): Set<string> {
    if (node.type === "element" && /^h[2-6]$/.test(node.tagName)) {
        slugs.add(HeadingIds.slugOf(textOf(node)));
    } else {
        childrenOf(node).forEach((child) => headingSlugs(child, slugs));
    }
    return slugs;
}
