import { type HastNode } from "satteri";
import { components } from "../components/index.js";
import { type WarningKind } from "../problems/warnings.js";
import { type ComponentHost } from "../components/kinds/component.js";
import { writeCode } from "../code/code-block.js";
import { createElementHost } from "./element-host.js";
import { renderElement, type ElementHost } from "./elements.js";
import { filledSnippet, plainText } from "../script/content.js";
import { hasContent } from "./has-content.js";
import { isKnownElement } from "../markdown/known-elements.js";
import { Headings } from "../html/headings.js";
import { writeAttributes } from "../html/html-attributes.js";
import { runsNoScript } from "../html/page-scripts.js";
import { escapeHtml } from "../text/html-text.js";
import { type JsxUse, unknownComponent } from "../components/unknown.js";
import { type PageTree } from "../html/page-tree.js";
import { PageSides } from "./page-sides.js";
import { isPlaceholder, placeholderReason } from "./placeholder.js";
import { iconHtml, missingIcon } from "../icons/icon.js";
import { renderJsxHtml } from "./jsx-html.js";
import { readLead, type Lead } from "../html/lead.js";
import { attributesOf, componentOf, renderExpression } from "../script/jsx-nodes.js";
import { renderOwnComponent } from "./own-component.js";
import { PageModules } from "../modules/page-modules.js";
import { PageScript } from "../script/page-script.js";
import { parseInline } from "../markdown/parse-page.js";
import { type RenderedBody, type RenderHost } from "./render-host.js";
import { RenderPlace } from "./render-place.js";
import { SearchText } from "../text/search-text.js";
import { childrenOf, lineOf, type JsxNode } from "../markdown/syntax-tree.js";
import { Budget } from "../script/budget.js";
import {
    Content,
    EngineValue,
    JsxValue,
    Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "../script/value.js";

type Children = Content | readonly Value[];

/** Writes one page's syntax tree as HTML and collects its headings and its searchable text on the way. */
export class PageRenderer implements ComponentHost {
    readonly search = new SearchText();
    readonly sides: PageSides;
    readonly #host: RenderHost;
    readonly #budget: Budget;
    readonly #script: PageScript;
    readonly #modules: PageModules;
    readonly #headings: Headings;
    readonly #root: HastNode;
    readonly #place: RenderPlace;
    readonly #pageScope: Scope;
    #hasDiagram = false;
    readonly #files = new Set<string>();
    readonly #elements: ElementHost;

    constructor({ file, root, title, part, hasBeside, length }: PageTree, host: RenderHost) {
        this.#budget = new Budget(length);
        this.#root = root;
        this.#headings = new Headings(root, this.search, title, part);
        this.#elements = createElementHost(this, this.#headings, () => this.sides.isFolded);
        this.sides = new PageSides(hasBeside);
        this.#host = host;
        this.#pageScope = new Scope();
        this.#place = new RenderPlace(file, this.#pageScope, host);
        this.#script = new PageScript(this.#pageScope, length);
        this.#modules = new PageModules(host.modules, this.#script, ({ reason, ...place }) =>
            host.warn("import", place, reason),
        );
    }

    /** Frees what the page's code holds. */
    dispose(): void {
        this.#script.dispose();
    }

    /** @param values the names that the page's expressions see, in addition to its own imports and exports */
    renderBody(values: ValueRecord): RenderedBody & { files: readonly string[] } {
        for (const [name, value] of Object.entries(values)) {
            this.#pageScope.set(name, value);
        }
        const { file, scope } = this.#place;
        const { files, layout } = this.#modules.prepare(file, this.#root, scope);
        files.forEach((used) => this.#files.add(used));
        const nodes = childrenOf(this.#root);
        const content = this.#place.contentOf(nodes);
        const whole = () => this.#renderNamed("default", {}, layout, content);
        const laidOut = layout === undefined ? "" : this.#place.attempt(whole, "the default export");
        const html = (laidOut || this.renderNodes(nodes)).trim();
        return {
            html,
            toc: this.#headings.toc,
            sections: this.search.sections(),
            hasTitle: this.#headings.hasTitle,
            hasDiagram: this.#hasDiagram,
            beside: this.sides.besideOf(html),
            files: [...this.#files],
        };
    }

    /** @param description the front matter's, which stands before the body */
    renderLead(description: string): Lead {
        return readLead(description, (nodes) => {
            const html = this.renderNodes(nodes);
            this.search.add(" ");
            return html;
        });
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

    warn(kind: WarningKind, reason: string): void {
        this.#place.warn(kind, reason);
    }

    warnNear(text: string, kind: WarningKind, reason: string): void {
        this.#place.warn(kind, reason, text);
    }

    claimId(wanted: string): string {
        return this.#headings.ids.claim(wanted);
    }

    anchors(title: string, id: string): string {
        return this.#headings.anchorsOfPart(title, id);
    }

    inlineMarkdown(text: string): string {
        const nodes = parseInline(text);
        return nodes === undefined ? escapeHtml(text) : this.renderNodes(nodes);
    }

    icon(icon: Value, style?: Value): string {
        if (icon instanceof EngineValue) {
            return this.#renderOwn("icon", icon, () => "[]", []) ?? "";
        }
        if (typeof icon === "object" && icon !== null) {
            return this.renderValue(icon);
        }
        const name = typeof icon === "string" ? icon : "";
        const wanted = typeof style === "string" ? style : undefined;
        const html = iconHtml(name, wanted, this.#host.icons, (src) => this.link(src));
        if (html === undefined) {
            this.warn("icon", missingIcon(name));
        }
        return html ?? "";
    }

    image(src: string, alt: string): string {
        return `<img${writeAttributes({ src: this.link(src), alt, loading: "lazy" })}>`;
    }

    codeBlock(code: string, language: string | undefined, meta: string | undefined): string {
        this.search.add(`${code} `);
        this.#hasDiagram ||= language === "mermaid";
        return writeCode(code, language, meta, this);
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
            return budget.nested(() => this.#renderNamed(value.name, value.attributes, value.snippet, value.children));
        }
        if (typeof value === "object" && value !== null) {
            throw new UnsupportedExpressionError("an object or a function is nothing to show");
        }
        return "";
    }

    #renderNode(node: HastNode): string {
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
                return renderElement(node, this.#elements);
            case "mdxJsxFlowElement":
            case "mdxJsxTextElement":
                return this.#place.attempt(
                    () => this.#renderJsxNode(node),
                    `<${node.name ?? ""}>`,
                    node.children.length === 0 ? undefined : () => this.renderNodes(node.children),
                );
            case "mdxFlowExpression":
            case "mdxTextExpression":
                return this.#place.attempt(() => this.renderValue(this.#valueOf(node.value)), "an expression");
            case "root":
                return this.renderNodes(node.children);
            case "raw":
            case "mdxjsEsm":
            case "comment":
            case "doctype":
                return "";
        }
    }

    #valueOf(code: string): Value {
        if (!isPlaceholder(code, this.#place.scope)) {
            return renderExpression(code, this.#place.scope, this.#script);
        }
        this.warn("expression", placeholderReason(code));
        return `{${code.trim()}}`;
    }

    #renderContent(content: Content, isImported = false): string {
        return this.#place.within(content, isImported, () => this.renderNodes(content.nodes));
    }

    #renderJsxNode(node: JsxNode): string {
        if (node.name === null) {
            return this.#renderContent(this.#place.contentOf(node.children));
        }
        const { scope } = this.#place;
        const content = this.#place.contentOf(node.children);
        const { name } = node;
        const own = componentOf(name, scope);
        const component = own ?? (components.has(name) ? undefined : componentOf(name, this.#pageScope));
        const html = this.#renderOwn(name, component, () => this.#script.code.ofAttributes(node), content);
        if (html !== undefined) {
            return html;
        }
        const attributes = attributesOf(node, scope, this.#script, (attribute, reason) =>
            this.warn("attribute", `${attribute} in <${name}> is left out: ${reason}`),
        );
        const isReported = own === undefined && scope.has(name.split(".")[0] ?? "") && !components.has(name);
        const isBlock = node.type === "mdxJsxFlowElement";
        return this.#renderNamed(name, attributes, own, content, { isBlock, isReported });
    }

    #renderNamed(name: string, attributes: ValueRecord, own: Value, children: Children, jsx: JsxUse = {}): string {
        const render = () => this.renderValue(children);
        const html = this.#renderOwn(name, own, () => this.#script.code.ofValues(attributes), children);
        if (html !== undefined) {
            return html;
        }
        if (own instanceof Content) {
            const filled = filledSnippet(own, attributes, children);
            return this.#budget.nested(() => this.#renderContent(filled, true));
        }
        if (name === "Fragment" || name === "React.Fragment") {
            return render();
        }
        if (name === "Snippet") {
            return this.#renderSnippet(attributes);
        }
        const component = components.get(name);
        const text = () => plainText(children, this.#budget);
        const element = (tagName: string, given: ValueRecord) => this.#renderHtml(tagName, given, children);
        const use = { name, attributes, host: this, children: () => render().trim(), text, element };
        if (component !== undefined) {
            return component(use);
        }
        if (/^[a-z]/.test(name) && isKnownElement(name)) {
            return this.#renderHtml(name, attributes, children);
        }
        // A snippet may use what only the pages around it import.
        const ofPage = own === undefined ? componentOf(name, this.#pageScope) : undefined;
        if (ofPage !== undefined) {
            return this.#renderNamed(name, attributes, ofPage, children, jsx);
        }
        return unknownComponent({ ...use, children: render }, { ...jsx, hasContent: hasContent(children) });
    }

    /** A component that the page or one of its imports defines; undefined for all others. */
    #renderOwn(name: string, component: Value, attributes: () => string, children: Children): string | undefined {
        if (!(component instanceof EngineValue)) {
            return undefined;
        }
        const use = { name, component, attributes: attributes(), children, scope: this.#place.scope };
        const { line } = this.#place;
        return renderOwnComponent(use, this.#script, {
            search: this.search,
            value: (value) => this.renderValue(value),
            text: (value) => plainText(value, this.#budget),
            warn: (kind, reason) => this.#warnAt(line, kind, reason),
        });
    }

    #warnAt(line: number | undefined, kind: WarningKind, reason: string): void {
        this.#place.line = line;
        this.warn(kind, reason);
    }

    /** `<Snippet file="…">` of older sites. */
    #renderSnippet(attributes: ValueRecord): string {
        const module = this.#modules.loadSnippet(attributes["file"], this.#place.file);
        module.files.forEach((used) => this.#files.add(used));
        return this.#renderNamed("Snippet", attributes, module.exports.get("default"), []);
    }

    #renderHtml(tagName: string, given: ValueRecord, children: Children): string {
        const line = this.#place.line;
        return renderJsxHtml(tagName, given, children, {
            tag: this.#elements.tag,
            heading: this.#elements.heading,
            warn: (kind, reason) => this.#warnAt(line, kind, reason),
            value: (value) => this.renderValue(value),
            text: (value) => plainText(value, this.#budget),
            leftOut: (name) => this.#warnAt(line, "attribute", `${name} in <${tagName}> ${runsNoScript}`),
        });
    }
}
