import { type HastNode } from "satteri";
import { type WarningKind } from "../../problems/warning-log.js";
import { readFence, writeCode } from "../code/code-block.js";
import { textForAgents } from "../agents/page-text.js";
import { renderElement } from "./elements.js";
import { PageComponents } from "./page-components.js";
import { type PageContext } from "./page-context.js";
import { Diagrams } from "../code/diagram.js";
import { redirectsPage, writeTag } from "../../html/tags.js";
import { plainText } from "../script/content.js";
import { HeadingIds } from "../../html/heading-ids.js";
import { type HeadingOptions, Headings } from "../../html/headings.js";
import { type Properties } from "../../html/html-attributes.js";
import { escapeHtml, textOfHtml } from "../../text/html-text.js";
import { PageSides } from "../../html/page-sides.js";
import { iconHtml, missingIcon } from "../../html/icon.js";
import { readLead, type Lead } from "../../html/lead.js";
import { parseInline, type ParsedMdx, parsePage } from "../../read/markdown/parse-page.js";
import { bodyOf } from "../../read/front-matter/front-matter.js";
import { type RenderedPage, type RenderContext } from "./render-context.js";
import { RenderPlace } from "./render-place.js";
import { ShownParts } from "./shown-parts.js";
import { SearchText } from "../../text/search-text.js";
import { childrenOf, isExpression, isJsx, lineOf, type JsxNode } from "../../text/syntax-tree.js";
import { Budget } from "../script/budget.js";
import {
    Content,
    EngineValue,
    JsxValue,
    Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
    emptyRecord,
} from "../../text/script-value.js";
import { isMdxFile } from "../../read/files/routes.js";

/** The syntax tree of a page, with its file. */
interface PageTree extends HeadingOptions {
    readonly file: string;
    readonly root: HastNode;
    /** The number of characters of the source. */
    readonly length: number;
}

/** Writes one page's syntax tree as HTML, and collects the page's headings and searchable text. */
class PageRenderer implements PageContext {
    readonly search = new SearchText();
    readonly sides: PageSides;
    readonly macros = {};
    readonly headings: Headings;
    readonly #context: RenderContext;
    readonly #budget: Budget;
    readonly #components: PageComponents;
    readonly #root: HastNode;
    readonly #place: RenderPlace;
    readonly #diagrams = new Diagrams(this);
    readonly #unknown = new Set<string>();
    readonly #file: string;
    readonly #shown: ShownParts;

    constructor(tree: PageTree, context: RenderContext) {
        const { file, root, pageName, length } = tree;
        this.#budget = new Budget(length);
        this.#root = root;
        this.#file = file;
        // Embedded text, unlike a page, has no room next to it.
        this.sides = new PageSides(pageName !== undefined);
        this.#shown = new ShownParts(this.sides);
        this.headings = new Headings(root, this.search, this.sides, tree);
        this.#context = context;
        this.#place = new RenderPlace(file, new Scope(), context);
        this.#components = new PageComponents(this, this.#place, this.#budget, context, length);
    }

    get ids(): HeadingIds {
        return this.headings.ids;
    }

    /** Frees the memory of the page's code. */
    dispose(): void {
        this.#components.dispose();
    }

    /**
     * @param values further names for the page's expressions, besides its own imports and exports
     * @param description from the front matter, which comes before the body
     */
    render(values: ValueRecord, description: string | undefined): RenderedPage {
        const lead = description === undefined ? undefined : this.#renderLead(description);
        const laidOut = this.#components.renderLayout(this.#root, values);
        const html = (laidOut || this.renderNodes(childrenOf(this.#root))).trim();
        const body = {
            html,
            toc: [...this.headings.toc],
            sections: this.search.sections(),
            hasTitle: this.headings.hasTitle,
            hasDiagram: this.#diagrams.hasDrawing,
            beside: this.sides.besideOf(html),
            lead,
        };
        return { body, files: this.#components.files };
    }

    /**
     * Writes the page for programs, after `render`. Renders what agents see differently.
     * @returns undefined for plain Markdown
     */
    textForAgents({ text, restore }: ParsedMdx, writtenLink: (href: string) => string): string | undefined {
        // Headings for agents must not change the anchors of the page's other parts.
        this.headings.ids = new HeadingIds();
        const htmlOf = (node: HastNode) => this.#shown.forAgents(node, () => this.#htmlOf(node));
        const start = text.length - bodyOf(text).length;
        const defines = (name: string) => this.#components.defines(name);
        const found = textForAgents({ root: this.#root, text, start, htmlOf, defines, writtenLink });
        return found === undefined ? undefined : restore(found);
    }

    #renderLead(description: string): Lead {
        return readLead(description, (nodes) => {
            const html = this.renderNodes(nodes);
            this.search.add(" ");
            return html;
        });
    }

    contentOf(nodes: readonly HastNode[]): Content {
        return this.#place.contentOf(nodes);
    }

    renderNodes(nodes: readonly HastNode[]): string {
        let html = "";
        for (const node of nodes) {
            html += this.#renderNode(node);
        }
        return html;
    }

    link(href: string): string {
        return this.#place.link(href);
    }

    warn(kind: WarningKind, reason: string, near?: string): void {
        this.#place.warn(kind, reason, near);
    }

    warnOfUnknown(tagName: string, reason: string): void {
        if (!this.#unknown.has(tagName)) {
            this.#unknown.add(tagName);
            this.warn("component", reason, `<${tagName}`);
        }
    }

    tag(name: string, properties: Properties, inner: () => string): string {
        if (name === "template") {
            this.warn("component", shownTemplate, "<template");
            return inner();
        }
        if (name === "dialog" && properties["open"] === undefined) {
            this.warn("component", shownDialog, "<dialog");
            return `<div>${inner()}</div>`;
        }
        if (redirectsPage(name, properties)) {
            this.warn(
                "component",
                `<${name}> is left out: it would change the addresses of the whole page`,
                `<${name}`,
            );
            return "";
        }
        if (hidingElements.has(name) || properties["hidden"] === true || properties["hidden"] === "") {
            return this.#hiddenTag(name, properties, inner);
        }
        return writeTag(name, properties, name === "a" ? () => this.headings.withinLink(inner) : inner, this);
    }

    /** Leaves the tag unchanged: its author may mean it literally, or another builder's script may show its content. */
    #hiddenTag(name: string, properties: Properties, inner: () => string): string {
        const html = inner();
        if (textOfHtml(html) !== "") {
            const cause = hidingElements.has(name) ? `<${name}> hides` : `hidden in <${name}> hides`;
            this.warn("component", `${cause} its content: remove it if readers should see the content`, `<${name}`);
        }
        return writeTag(name, properties, () => html, this);
    }

    anchors(title: string, id: string): string {
        return this.headings.anchorsOfPart(title, id);
    }

    list(id: string, title: string): void {
        this.headings.list(id, title);
    }

    isFor(readers: string | undefined): boolean {
        return this.#shown.isFor(readers);
    }

    inlineMarkdown(text: string): string {
        const nodes = parseInline(text);
        return nodes === undefined ? escapeHtml(text) : this.renderNodes(nodes);
    }

    icon(icon: Value, style?: Value): string {
        if (icon instanceof EngineValue) {
            return this.#components.renderOwn("icon", icon, () => "[]", []) ?? "";
        }
        if (typeof icon === "object" && icon !== null) {
            return this.renderValue(icon);
        }
        const name = typeof icon === "string" ? icon : "";
        const wanted = typeof style === "string" ? style : undefined;
        const html = iconHtml(name, wanted, this.#context.iconLibrary, (src) => this.link(src));
        if (html === undefined) {
            this.warn("icon", missingIcon(name));
        }
        return html ?? "";
    }

    codeBlock(code: string, language: string | undefined, meta: string | undefined): string {
        const fence = readFence(language, meta);
        const { title } = fence.meta;
        this.search.add(title === undefined ? `${code} ` : ` ${title} ${code} `);
        const drawn = fence.language === "mermaid" ? this.#diagrams.write(code) : undefined;
        return drawn ?? writeCode(code, fence, this);
    }

    plainText(value: Value): string {
        return plainText(value, this.#budget, (node, content) => this.#components.textOf(node, content));
    }

    renderValue(value: Value): string {
        const budget = this.#budget;
        budget.step();
        if (typeof value === "string" || typeof value === "number") {
            const text = budget.text(String(value));
            this.search.add(text);
            return escapeHtml(text);
        }
        if (Array.isArray(value)) {
            return budget.nested(() => value.map((item: Value) => this.renderValue(item)).join(""));
        }
        if (value instanceof Content) {
            return this.#renderContent(value);
        }
        if (value instanceof JsxValue) {
            return budget.nested(() =>
                this.#components.renderNamed(value.name, value.attributes, value.snippet, value.children),
            );
        }
        if (typeof value === "object" && value !== null) {
            throw new UnsupportedExpressionError("an object or a function cannot be shown");
        }
        return "";
    }

    #renderNode(node: HastNode): string {
        const isOfPage = (isJsx(node) || isExpression(node)) && this.#place.file === this.#file;
        return isOfPage ? this.#shown.render(node, () => this.#htmlOf(node)) : this.#htmlOf(node);
    }

    #htmlOf(node: HastNode): string {
        this.#place.line = lineOf(node) ?? this.#place.line;
        if (this.#place.isImported) {
            this.#budget.step();
            this.#budget.text(node.type === "text" ? node.value : "");
        }
        switch (node.type) {
            case "text":
                this.search.add(node.value);
                return escapeHtml(node.value);
            case "element":
                return renderElement(node, this);
            case "mdxJsxFlowElement":
            case "mdxJsxTextElement":
                return this.#place.orReport(
                    () => this.#renderJsxNode(node),
                    `<${node.name ?? ""}>`,
                    node.children.length === 0 ? undefined : () => this.renderNodes(node.children),
                );
            case "mdxFlowExpression":
            case "mdxTextExpression":
                return this.#place.orReport(
                    () => this.renderValue(this.#components.valueOf(node.value)),
                    "an expression",
                );
            case "root":
                return this.renderNodes(node.children);
            case "raw":
            case "mdxjsEsm":
            case "comment":
            case "doctype":
                return "";
        }
    }

    #renderJsxNode(node: JsxNode): string {
        const { name, children } = node;
        return name === null
            ? this.#renderContent(this.#place.contentOf(children))
            : this.#components.renderNode(node, name);
    }

    #renderContent(content: Content): string {
        return this.#place.within(content, false, () => this.renderNodes(content.nodes));
    }
}

/** Elements that hide their content, from most readers or from all. */
const hidingElements = new Set(["noscript", "noembed", "noframes"]);

const shownTemplate = "browsers hide the content of <template>, so the content is shown without this element";

const shownDialog =
    "browsers hide the content of <dialog> until a script opens it, so the content is shown without this element";

interface PageOptions extends Partial<Omit<HeadingOptions, "title">> {
    /** The page's description, shown below its title. */
    readonly description?: string | undefined;
    /** @default determined by the file's extension */
    readonly isMdx?: boolean;
    /**
     * Returns the address that the page's author wrote for the address of a link. If missing, the page is not written
     * for programs.
     */
    readonly writtenLink?: ((href: string) => string) | undefined;
}

/**
 * Renders a page's source, including front matter. The page's code runs in a separate engine.
 * @param values the front matter, which expressions see by name and as `frontmatter`
 * @throws EngineNotLoadedError
 */
export function renderPage(
    file: string,
    source: string,
    values: ValueRecord,
    context: RenderContext,
    { description, isMdx = isMdxFile(file), ids = new HeadingIds(), minLevel = 1, ...options }: PageOptions = {},
): RenderedPage {
    const { pageName, writtenLink } = options;
    const { root, repairs, mdx } = parsePage(source, isMdx);
    for (const { line, reason } of repairs) {
        context.warn("syntax", { file, line }, reason);
    }
    const title = typeof values["title"] === "string" && values["title"] !== "" ? values["title"] : undefined;
    const renderer = new PageRenderer({ file, root, title, ids, minLevel, pageName, length: source.length }, context);
    try {
        const frontmatter = Object.assign(emptyRecord(), values);
        const { body, files } = renderer.render(Object.assign(emptyRecord(), values, { frontmatter }), description);
        const markdown = mdx && writtenLink && renderer.textForAgents(mdx, writtenLink);
        return { body: markdown === undefined ? body : { ...body, markdown }, files };
    } finally {
        renderer.dispose();
    }
}
