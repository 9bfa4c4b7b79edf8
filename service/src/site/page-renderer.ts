import GithubSlugger from "github-slugger";
import { type HastNode } from "satteri";
import { calloutOf, isCallout, writeCallout } from "./callouts.js";
import { writeCodeBlock } from "./code-block.js";
import { writeAttributes } from "./html-attributes.js";
import { rewriteHtmlAttributes, rewriteLinks } from "./html-links.js";
import { escapeHtml } from "./html-text.js";
import { writeJsxElement } from "./mdx-elements.js";
import { isCommentOnly, parseLiteral } from "./mdx-values.js";
import { SearchText, type SearchSection } from "./search-text.js";
import { SiteError } from "./site-error.js";

export type HastElement = Extract<HastNode, { type: "element" }>;

export interface TocEntry {
    readonly id: string;
    readonly text: string;
    readonly depth: number;
}

/** A page's body as HTML, without the page around it. */
export interface RenderedBody {
    readonly html: string;
    readonly toc: readonly TocEntry[];
    readonly sections: readonly SearchSection[];
    /** Whether the body brings its own first-level heading. */
    readonly hasTitle: boolean;
}

export type LinkRewriter = (href: string, line: number | undefined) => string;

const voidElements = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const blockElements = new Set("p li pre td th dt dd blockquote div section figcaption summary".split(" "));

/** Writes one page's syntax tree as HTML and collects its headings and its searchable text on the way. */
export class PageRenderer {
    readonly search = new SearchText();
    private readonly slugger = new GithubSlugger();
    private readonly toc: TocEntry[] = [];
    private hasTitle = false;

    constructor(
        readonly file: string,
        private readonly rewriteLink: LinkRewriter,
    ) {}

    renderBody(root: HastNode): RenderedBody {
        const html = this.renderChildren(root).trim();
        return { html, toc: this.toc, sections: this.search.sections(), hasTitle: this.hasTitle };
    }

    renderChildren(node: HastNode): string {
        if (!("children" in node)) return "";
        let html = "";
        for (const child of node.children) html += this.render(child);
        return html;
    }

    render(node: HastNode): string {
        switch (node.type) {
            case "text":
                this.search.add(node.value);
                return escapeHtml(node.value);
            case "element":
                return this.renderElement(node);
            case "raw":
                return this.renderRaw(node.value, lineOf(node));
            case "mdxJsxFlowElement":
            case "mdxJsxTextElement":
                return writeJsxElement(node, this);
            case "mdxFlowExpression":
            case "mdxTextExpression":
                return this.renderExpression(node.value, lineOf(node));
            case "mdxjsEsm":
                throw this.error(
                    node,
                    "import and export are JavaScript, which an export never runs; remove this line",
                );
            case "root":
                return this.renderChildren(node);
            case "comment":
            case "doctype":
                return "";
        }
    }

    link(href: string, line: number | undefined): string {
        return this.rewriteLink(href, line);
    }

    error(node: HastNode, reason: string): SiteError {
        return new SiteError(this.file, lineOf(node), reason);
    }

    /** Opens an element whose attributes may hold links, and closes it after its children. */
    writeElement(tagName: string, properties: Readonly<Record<string, unknown>>, node: HastNode): string {
        const attributes: Record<string, unknown> = { ...properties };
        for (const [property, value] of Object.entries(properties)) {
            if (typeof value === "string") attributes[property] = this.rewriteAttribute(property, value, lineOf(node));
        }
        if (tagName === "img") attributes["loading"] ??= "lazy";
        const open = `<${tagName}${writeAttributes(attributes)}>`;
        if (voidElements.has(tagName)) return open;
        const html = `${open}${this.renderChildren(node)}</${tagName}>`;
        if (blockElements.has(tagName)) this.search.add(" ");
        return html;
    }

    private renderElement(node: HastElement): string {
        const { tagName } = node;
        if (/^h[1-6]$/.test(tagName)) return this.renderHeading(node);
        if (tagName === "pre") return writeCodeBlock(node, this);
        if (tagName === "blockquote" && isCallout(node))
            return writeCallout(calloutOf(node), this.renderChildren(node));
        if (tagName === "table") {
            const table = this.writeElement(tagName, node.properties, node);
            return `<div class="table" role="group" aria-label="Table" tabindex="0">${table}</div>`;
        }
        return this.writeElement(tagName, node.properties, node);
    }

    private renderHeading(node: HastElement): string {
        const depth = Number(node.tagName.slice(1));
        const text = textOf(node).trim();
        if (node.properties["className"] !== undefined && node.properties["id"] === "footnote-label") {
            return this.writeElement(node.tagName, node.properties, node);
        }
        if (depth === 1 && !this.hasTitle) {
            this.hasTitle = true;
            return `<h1>${this.renderChildren(node)}</h1>`;
        }
        const given = node.properties["id"];
        const id = typeof given === "string" ? given : this.slugger.slug(text);
        if (depth === 2 || depth === 3) {
            this.toc.push({ id, text, depth });
            this.search.open(id, text);
        }
        const inner = this.renderChildren(node);
        this.search.add(" ");
        const label = `Link to this section: ${escapeHtml(text)}`;
        const anchor = `<a class="anchor" href="#${escapeHtml(encodeURIComponent(id))}" aria-label="${label}">#</a>`;
        return `<${node.tagName}${writeAttributes({ ...node.properties, id })}>${inner}${anchor}</${node.tagName}>`;
    }

    /** Raw HTML is the author's own and passes as it is, but for its links and its comments. */
    private renderRaw(raw: string, line: number | undefined): string {
        const html = raw.replace(/<!--[\s\S]*?-->/g, "");
        return rewriteHtmlAttributes(html, (name, value) => this.rewriteAttribute(name, value, line));
    }

    private rewriteAttribute(name: string, value: string, line: number | undefined): string {
        return rewriteLinks(name, value, (href) => this.rewriteLink(href, line));
    }

    private renderExpression(expression: string, line: number | undefined): string {
        if (isCommentOnly(expression)) return "";
        const value = parseLiteral(expression);
        if (value === undefined || (typeof value === "object" && value !== null)) {
            const reason = `{${expression.trim()}} is JavaScript, which an export never runs`;
            throw new SiteError(this.file, line, `${reason}; write the text itself, or \\{ for a brace`);
        }
        if (value === null || typeof value === "boolean") return "";
        this.search.add(String(value));
        return escapeHtml(String(value));
    }
}

export function lineOf(node: HastNode): number | undefined {
    return node.position?.start.line;
}

export function textOf(node: HastNode): string {
    if (node.type === "text") return node.value;
    return "children" in node ? node.children.map((child) => textOf(child)).join("") : "";
}
