import { components } from "../../components/components.js";
import { type JsxUse, unknownComponent } from "../../components/unknown.js";
import { isKnownElement, voidElements } from "../../html/known-elements.js";
import { nearestName } from "../../text/nearest-name.js";
import { childrenOf, type ExpressionNode, type JsxNode, lineOf } from "../../text/syntax-tree.js";
import { htmlToHast, type HastNode } from "satteri";
import { PageModules } from "../modules/page-modules.js";
import { filledSnippet, hasContent, shownAgain, withoutParagraph } from "../script/content.js";
import { type Budget } from "../script/budget.js";
import { attributesOf, componentOf, renderExpression } from "../script/jsx-nodes.js";
import { PageScript } from "../script/page-script.js";
import {
    Content,
    EngineValue,
    type Scope,
    type Value,
    type ValueRecord,
    isValueRecord,
    textOfValue,
} from "../../text/script-value.js";
import { renderOwnComponent } from "./own-component.js";
import { warnOfHidden } from "./hidden-content.js";
import { imageWithoutAddress } from "./elements.js";
import { type PageContext } from "./page-context.js";
import { type RenderContext } from "./render-context.js";
import { type RenderPlace } from "./render-place.js";
import { isRunByBrowsers, runsNoScript } from "../../html/page-scripts.js";
import { attributesOfProps } from "../../html/react-attributes.js";
import { phrasingElements, rawTextElements, scrollingTable } from "../../html/tags.js";
import { escapeHtml } from "../../text/html-text.js";

type Children = Content | readonly Value[];

/** A snippet with its attributes as text, and the scope of the place that uses it. */
interface OpenSnippet {
    readonly nodes: Content["nodes"];
    readonly key: string;
    readonly usedIn: Scope;
}

/** Writes JSX on a page: elements, the theme's components, and the components of the page and its imports. */
export class PageComponents {
    readonly #pageScope: Scope;
    readonly #script: PageScript;
    /** The snippets that are being rendered, by the scopes of their content. */
    readonly #openSnippets = new Map<Scope, OpenSnippet>();
    /** How often the page has shown the snippets with these nodes. */
    readonly #uses = new Map<Content["nodes"], number>();
    readonly #modules: PageModules;
    /** The values of the chosen options in the `<select>` around this place, if it has a value. */
    #chosen: readonly string[] | undefined;

    /** @param place the page's start @param length the number of characters in the page's source */
    constructor(
        private readonly page: PageContext,
        private readonly place: RenderPlace,
        private readonly budget: Budget,
        { modules, warn }: RenderContext,
        length: number,
    ) {
        this.#pageScope = place.scope;
        this.#script = new PageScript(place.scope, length);
        this.#modules = new PageModules(modules, this.#script, ({ reason, ...at }) => warn("import", at, reason));
    }

    /** The files whose content the page shows. */
    get files(): readonly string[] {
        return this.#modules.files;
    }

    /** Frees the memory of the page's code. */
    dispose(): void {
        this.#script.dispose();
    }

    /**
     * Runs the imports and exports of the page.
     *
     * @param values further names for the page's expressions
     * @returns the content that its default export shows; empty if it has none
     */
    renderLayout(root: HastNode, values: ValueRecord): string {
        for (const [name, value] of Object.entries(values)) {
            this.#pageScope.set(name, value);
        }
        const layout = this.#modules.prepare(this.place.file, root, this.#pageScope);
        const content = this.place.contentOf(childrenOf(root));
        const whole = () => this.renderNamed("default", {}, layout, content);
        return layout === undefined ? "" : this.place.orReport(whole, "the default export");
    }

    /** Evaluates an expression in braces at this place. */
    valueOf(code: string): Value {
        if (!isPlaceholder(code, this.place.scope)) {
            return renderExpression(code, this.place.scope, this.#script);
        }
        this.page.warn("expression", placeholderReason(code));
        return `{${code.trim()}}`;
    }

    /** The text of an expression in content, such as the code of a component. */
    textOf(node: ExpressionNode, content: Content): string {
        return this.place.within(content, false, () => {
            this.place.line = lineOf(node) ?? this.place.line;
            return this.place.orReport(() => this.page.plainText(this.valueOf(node.value)), "an expression");
        });
    }

    /** Whether the page, or a file that it imports, defines a component. */
    defines(name: string): boolean {
        const own = componentOf(name, this.#pageScope);
        return own instanceof EngineValue || own instanceof Content;
    }

    renderNode(node: JsxNode, name: string): string {
        const { scope } = this.place;
        const content = this.place.contentOf(node.children);
        const own = componentOf(name, scope);
        const component = own ?? (components.has(name) ? undefined : componentOf(name, this.#pageScope));
        const html = this.renderOwn(name, component, () => this.#script.code.ofAttributes(node), content);
        if (html !== undefined) {
            return html;
        }
        const attributes = attributesOf(node, scope, this.#script, (attribute, reason) =>
            this.page.warn("attribute", `${attribute} in <${name}> is left out: ${reason}`),
        );
        const isReported = own === undefined && scope.has(name.split(".")[0] ?? "") && !components.has(name);
        const isBlock = node.type === "mdxJsxFlowElement";
        return this.renderNamed(name, attributes, own, content, { isBlock, isReported });
    }

    /** @param own the component that the page or an import defines under `name` */
    renderNamed(name: string, attributes: ValueRecord, own: Value, children: Children, jsx: JsxUse = {}): string {
        const { page } = this;
        const html = this.renderOwn(name, own, () => this.#script.code.ofValues(attributes), children);
        if (html !== undefined) {
            return html;
        }
        if (own instanceof Content) {
            return this.#renderSnippet(name, own, attributes, children);
        }
        if (name === "Fragment" || name === "React.Fragment") {
            return page.renderValue(children);
        }
        if (name === "Snippet") {
            return this.#renderSnippetFile(attributes, children);
        }
        let isShown = false;
        const show = <T>(write: () => T): T => {
            isShown = true;
            return write();
        };
        const render = () => show(() => page.renderValue(children));
        const text = () => show(() => page.plainText(children));
        const element = (tagName: string, given: ValueRecord) => {
            isShown ||= !voidElements.has(tagName) && given["dangerouslySetInnerHTML"] === undefined;
            return this.#renderHtml(tagName, given, children);
        };
        const use = { name, attributes, context: page, children: () => render().trim(), text, element };
        const component = components.get(name);
        if (component !== undefined || (/^[a-z]/.test(name) && isKnownElement(name))) {
            const html = component === undefined ? element(name, attributes) : component.html(use);
            return isShown || component?.mayHide === true ? html : html + this.#contentAfter(name, children);
        }
        // A snippet may use the imports of the pages around it.
        const ofPage = own === undefined ? componentOf(name, this.#pageScope) : undefined;
        if (ofPage !== undefined) {
            return this.renderNamed(name, attributes, ofPage, children, jsx);
        }
        const similar = nearestName(name, components.keys());
        return unknownComponent({ ...use, children: render }, { ...jsx, hasContent: hasContent(children), similar });
    }

    /** A component that the page or one of its imports defines; undefined for all other components. */
    renderOwn(name: string, component: Value, attributes: () => string, children: Children): string | undefined {
        if (!(component instanceof EngineValue)) {
            return undefined;
        }
        const use = { name, component, attributes: attributes(), children };
        return renderOwnComponent(use, this.#script, this.page, this.place);
    }

    /** The content between the tags of something that has no content. */
    #contentAfter(name: string, children: Children): string {
        const html = this.page.renderValue(children);
        if (html.trim() !== "") {
            this.page.warn("component", `<${name}> cannot contain anything: the content between its tags follows it`);
        }
        return html;
    }

    /** Renders a snippet, but only once within itself with the same attributes. */
    #renderSnippet(name: string, own: Content, attributes: ValueRecord, children: Children): string {
        const key = JSON.stringify(attributes, (_, value: unknown) => (value instanceof Content ? "" : value));
        if (this.#isWithinItself(own, key)) {
            this.page.warn("component", `<${name}> is left out here: the snippet contains itself`);
            return "";
        }
        const use = (this.#uses.get(own.nodes) ?? 0) + 1;
        this.#uses.set(own.nodes, use);
        const filled = filledSnippet(use === 1 ? own : shownAgain(own, use), attributes, children);
        this.#openSnippets.set(filled.scope, { nodes: own.nodes, key, usedIn: this.place.scope });
        try {
            const render = () => this.place.within(filled, true, () => this.page.renderNodes(filled.nodes));
            const html = this.budget.nested(render);
            warnOfHidden(name, "snippet", children, html, this.page);
            return html;
        } finally {
            this.#openSnippets.delete(filled.scope);
        }
    }

    /** Whether the current place is in the text of a snippet itself; the content between its tags is not. */
    #isWithinItself({ nodes }: Content, key: string): boolean {
        let scope: Scope | undefined = this.place.scope;
        while (scope !== undefined) {
            const open = this.#openSnippets.get(scope);
            if (open?.nodes === nodes && open.key === key) {
                return true;
            }
            scope = open?.usedIn ?? scope.outer;
        }
        return false;
    }

    /** Renders `<Snippet file="…">`, which older sites use. */
    #renderSnippetFile(attributes: ValueRecord, children: Children): string {
        const snippet = this.#modules.loadSnippet(attributes["file"], this.place.file);
        return this.renderNamed("Snippet", attributes, snippet, children);
    }

    /** An HTML element in JSX notation. */
    #renderHtml(tagName: string, props: ValueRecord, children: Children): string {
        const { page } = this;
        const attributes = attributesOfProps(tagName, props, (name) =>
            page.warn("attribute", `${name} in <${tagName}> ${runsNoScript}`),
        );
        if (tagName === "script" && isRunByBrowsers(attributes)) {
            page.warn("component", `<script> ${runsNoScript}`);
            return "";
        }
        if (tagName === "img" && props["src"] === "") {
            return imageWithoutAddress(attributes, page);
        }
        const inner = props["dangerouslySetInnerHTML"];
        const written = isValueRecord(inner) && typeof inner["__html"] === "string" ? inner["__html"] : undefined;
        if (rawTextElements.has(tagName)) {
            return page.tag(tagName, attributes, () => (written ?? page.plainText(children)).replaceAll("</", "<\\/"));
        }
        if (tagName === "textarea") {
            return page.tag(tagName, attributes, () => this.#renderText(initialValue(props) ?? children));
        }
        if (tagName === "option" && this.#chosen !== undefined) {
            delete attributes["selected"];
            if (this.#chosen.includes(textOfValue(props["value"]) ?? page.plainText(children).trim())) {
                attributes["selected"] = true;
            }
        }
        if (written !== undefined) {
            const space = tagName === "svg" ? "svg" : "html";
            const nodes = childrenOf(htmlToHast(written, { fragment: true, space }));
            return page.tag(tagName, attributes, () => page.renderNodes(nodes));
        }
        if (/^h[1-6]$/.test(tagName)) {
            const title = children instanceof Content ? withoutParagraph(children) : children;
            const text = page.plainText(children);
            return page.headings.write(tagName, attributes, { text }, () => page.renderValue(title));
        }
        const render = () => page.tag(tagName, attributes, () => page.renderValue(inlineOf(tagName, children)));
        const html = tagName === "select" ? this.#choosing(initialValue(props), render) : render();
        return tagName === "table" ? scrollingTable(html) : html;
    }

    #renderText(value: Value): string {
        const text = textOfValue(value) ?? this.page.plainText(value);
        this.page.search.add(text);
        return escapeHtml(text);
    }

    /** Renders a `<select>`, whose value is that of its chosen options. */
    #choosing(value: Value, render: () => string): string {
        const before = this.#chosen;
        this.#chosen =
            value === undefined || value === null ? undefined : [value].flat().map((one) => textOfValue(one) ?? "");
        try {
            return render();
        } finally {
            this.#chosen = before;
        }
    }
}

/** The value that a form's element shows before readers change it. */
function initialValue(props: ValueRecord): Value {
    return props["value"] ?? props["defaultValue"];
}

function inlineOf(tagName: string, children: Children): Children {
    return children instanceof Content && phrasingElements.has(tagName) ? withoutParagraph(children) : children;
}

const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const literals = new Set(["undefined", "null", "true", "false", "this"]);

/** The warning about `{account_id}` in text, which the author meant literally. */
function placeholderReason(code: string): string {
    const text = code.trim();
    return (
        `{${text}} is shown as it is written, because ${text} has no value here: write \\{${text}} if that is ` +
        "intended"
    );
}

/** Whether an expression is a single undeclared name, as in "replace {account_id}". */
function isPlaceholder(code: string, scope: Scope): boolean {
    const text = code.trim();
    return name.test(text) && !literals.has(text) && !scope.has(text);
}
