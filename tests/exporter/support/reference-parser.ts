/**
 * Parses pages with micromark, the reference implementation of CommonMark, GFM and MDX, into the trees that satteri
 * returns.
 */
import { raw } from "hast-util-raw";
import { type Extension as TreeExtension, fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { mdxFromMarkdown } from "mdast-util-mdx";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { mdxjs } from "micromark-extension-mdxjs";
import { type Features, type HastNode } from "satteri";
import { childrenOf } from "../../../exporter/src/text/syntax-tree.js";
import { PageText } from "../../../exporter/src/read/markdown/page-text/page-text.js";

interface ParseOptions {
    readonly features?: Features;
}

type Tree = ReturnType<typeof fromMarkdown>;

export function markdownToHast(source: string, { features = {} }: ParseOptions = {}): HastNode {
    const root = hastOf(source, features, false);
    return features.rawHtml === true ? raw(withFirstLines(root), { passThrough: ["math", "inlineMath"] }) : root;
}

/** The library leaves out the first line break of code, so each gets another one. */
function withFirstLines(node: HastNode): HastNode {
    if (node.type === "element" && node.tagName === "code" && node.children[0]?.type === "text") {
        node.children[0].value = node.children[0].value.replace(/^\n/, "\n\n");
    }
    childrenOf(node).forEach(withFirstLines);
    return node;
}

export function mdxToHast(source: string, { features = {} }: ParseOptions = {}): HastNode {
    return hastOf(source, features, true);
}

function parse(source: string, features: Features, isMdx: boolean): Tree {
    const mathOptions = typeof features.math === "object" ? features.math : {};
    const extensions = [
        gfm(),
        ...(isMdx ? [mdxjs()] : []),
        ...(features.math === undefined || features.math === false ? [] : [math(mathOptions)]),
    ];
    const mdastExtensions: (TreeExtension | TreeExtension[])[] = [
        gfmFromMarkdown(),
        mathFromMarkdown(),
        mdxFromMarkdown(),
    ];
    try {
        return fromMarkdown(source.replace(frontMatter, blanks), { extensions, mdastExtensions });
    } catch (error) {
        throw new Error(messageOf(error, source), { cause: error });
    }
}

/** Front matter, of which the trees of pages contain nothing. */
const frontMatter = /^(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\n)??\1[ \t]*(?=\r?\n|$(?![^]))/;

/** Blanks of the same length, so that all places remain. */
function blanks(text: string): string {
    return text.replace(/[^\n]/g, " ");
}

/** The message in the form of the native parser, which names the place once and without its end. */
function messageOf(error: unknown, source: string): string {
    const { line, column, reason, message } = error as Partial<Record<"line" | "column", number>> &
        Partial<Record<"reason" | "message", string>>;
    const text = (reason ?? message ?? "").replace(/\((\d+:\d+)-\d+:\d+\)/g, "($1)");
    // The message about an element without an end names the place of its tag only in the text.
    const place = line === undefined ? /\((\d+:\d+)\)/.exec(text)?.[1] : `${line}:${column ?? 1}`;
    if (line !== undefined && text.startsWith("Unexpected closing slash")) {
        const [tag = ""] = /<\/[^<>]*>/.exec((source.split("\n")[line - 1] ?? "").slice((column ?? 2) - 2)) ?? [];
        return `${place}: Unexpected closing tag \`${tag}\``;
    }
    return place === undefined ? text : `${place}: ${text}`;
}

const mdxNodes = [
    "mdxJsxFlowElement",
    "mdxJsxTextElement",
    "mdxFlowExpression",
    "mdxTextExpression",
    "mdxjsEsm",
] as const;

function hastOf(source: string, features: Features, isMdx: boolean): HastNode {
    const { text, attributes } =
        features.headingAttributes === true ? takeHeadingAttributes(source, isMdx) : plain(source);
    const tree = parse(text, features, isMdx);
    unravel(tree);
    const root = toHast(tree, { passThrough: [...mdxNodes], allowDangerousHtml: true });
    adaptNode(root as unknown as AnyNode, attributes);
    return root;
}

interface MdxParent {
    type: string;
    readonly value?: string;
    children?: MdxParent[];
}

const blockOf: Readonly<Record<string, string>> = {
    mdxJsxTextElement: "mdxJsxFlowElement",
    mdxTextExpression: "mdxFlowExpression",
};

/** Replaces paragraphs that contain only components and expressions by these, as `@mdx-js/mdx` does. */
function unravel(node: MdxParent): void {
    node.children?.forEach(unravel);
    if (node.children === undefined) {
        return;
    }
    node.children = node.children.flatMap((child) => {
        const inner = (child.type === "paragraph" ? child.children : undefined)?.filter(
            ({ type, value }) => type !== "text" || value?.trim() !== "",
        );
        return inner === undefined || inner.length === 0 || inner.some(({ type }) => blockOf[type] === undefined)
            ? [child]
            : inner.map((each) => Object.assign(each, { type: blockOf[each.type] }));
    });
}

interface AnyNode {
    readonly type: string;
    readonly tagName?: string;
    readonly properties?: Record<string, unknown>;
    readonly children?: readonly AnyNode[];
    readonly position?: { readonly start: { readonly line: number } };
    data?: { lang?: string; meta?: string };
}

type HeadingAttributes = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** Changes what satteri writes differently: the alignment of cells, the language of code, attributes of headings. */
function adaptNode(node: AnyNode, attributes: HeadingAttributes): void {
    const { tagName, properties } = node;
    if (properties !== undefined && (tagName === "td" || tagName === "th") && typeof properties["align"] === "string") {
        properties["style"] = `text-align: ${properties["align"]}`;
        delete properties["align"];
    }
    if (properties !== undefined && tagName !== undefined && /^h[1-6]$/.test(tagName)) {
        Object.assign(properties, attributes.get(node.position?.start.line ?? 0));
    }
    if (tagName === "code" && Array.isArray(properties?.["className"])) {
        const [name = ""] = properties["className"] as string[];
        node.data = { lang: name.replace(/^language-/, ""), ...node.data };
    }
    node.children?.forEach((child) => adaptNode(child, attributes));
}

function plain(source: string): { text: string; attributes: HeadingAttributes } {
    return { text: source, attributes: new Map() };
}

const headingAttributes = /^( {0,3}#{1,6}[ \t].*)\{([^{}]*)\}[ \t]*(\r?)$/;

/** Takes `{#id .class}` from the ends of headings, with the attributes by line. */
function takeHeadingAttributes(source: string, isMdx: boolean): { text: string; attributes: HeadingAttributes } {
    const attributes = new Map<number, Readonly<Record<string, unknown>>>();
    const { text } = new PageText(source, isMdx).withLines(({ text: line, isCode }, index) => {
        const [, heading, written, end] = (!isCode && headingAttributes.exec(line)) || [];
        const words = written?.trim().split(/\s+/) ?? [];
        if (heading === undefined || !words.every((word) => /^(?:#[^\s#]+|\.[^\s#.]+|[\w-]+=\S+)$/.test(word))) {
            return undefined;
        }
        const id = words.find((word) => word.startsWith("#"))?.slice(1);
        const className = words.filter((word) => word.startsWith(".")).map((word) => word.slice(1));
        attributes.set(index + 1, { ...(id && { id }), ...(className.length > 0 && { className }) });
        return `${heading.trimEnd()}${end}`;
    });
    return { text, attributes };
}
