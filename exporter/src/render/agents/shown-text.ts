import type TurndownService from "turndown";
import { plainTextOfHtml, unescapeHtml } from "../../text/html-text.js";
import { lazyModule } from "../../text/lazy-module.js";
import { inWordsOf, isWord } from "../../words/words.js";
import { alerts } from "../../components/callouts.js";
import { calloutKinds } from "../../components/callout-kind.js";
import { fenced, image, inline, linked, quoted } from "../../components/markdown-text.js";

const turndown = lazyModule<typeof TurndownService>("turndown");

/** The maximum size of the HTML of a page that is converted, because the time for hostile HTML grows with its size. */
const maxCharacters = 256 * 1024;

/** Writes the HTML of the components and expressions of a page as Markdown. */
export class ShownText {
    #room = maxCharacters;

    constructor(private readonly writtenLink: WrittenLink) {}

    of(html: string): string {
        if (!/[<&]/.test(html)) {
            return html;
        }
        if (!html.includes("<")) {
            return unescapeHtml(html);
        }
        return inWordsOf(undefined, this.#markdownOf(withoutColours(html)));
    }

    #markdownOf(html: string): string {
        if (html.length > this.#room || hasLongSpace(html)) {
            return plainParts(html);
        }
        this.#room -= html.length;
        try {
            return toMarkdown(html, this.writtenLink);
        } catch {
            // Elements may be nested deeper than recursive calls can follow.
            return plainParts(html);
        }
    }
}

/** Whether the library would take long: its time grows with the square of the longest white space. */
function hasLongSpace(html: string): boolean {
    return /(?:^|\S)\s{1000}/.test(unescapeHtml(html.replace(/<[^>]*>?/g, "")));
}

/** Removes the colours of code, which can be ten times as long as the code. */
function withoutColours(html: string): string {
    let depth = 0;
    return html.replace(/<(\/?)(pre|span)\b[^>]*>?/g, (tag, end: string, name: string) => {
        if (name === "pre") {
            depth += end === "" ? 1 : -1;
            return tag;
        }
        return depth > 0 ? "" : tag;
    });
}

/** The text of HTML, with its paragraphs and its code. */
function plainParts(html: string): string {
    return html
        .split(/(?=<pre\b)|(?<=<\/pre>)/)
        .flatMap((part) =>
            part.startsWith("<pre")
                ? [fenced(unescapeHtml(part.replace(/<[^>]*>?/g, "")), /\blanguage-([^\s"]+)/.exec(part)?.[1] ?? "")]
                : part.split(blockTag).map(plainTextOfHtml),
        )
        .filter((text) => text !== "")
        .join("\n\n");
}

const blockTag = /<\/?(?:p|li|div|tr|dt|dd|h[1-6]|blockquote|table|ul|ol)\b[^>]*>?/;

/** The parts of an element in the library's tree that the rules read. */
interface HtmlNode {
    readonly nodeName: string;
    readonly className: string;
    readonly textContent: string;
    readonly firstChild: HtmlNode | null;
    readonly parentNode: HtmlNode | null;
    readonly nextSibling: HtmlNode | null;
    readonly children: ArrayLike<HtmlNode>;
    getAttribute(name: string): string | null;
    getElementsByTagName(name: string): ArrayLike<HtmlNode>;
}

type WrittenLink = (href: string) => string;
type Write = (content: string, node: HtmlNode, writtenLink: WrittenLink) => string;

const paragraph: Write = (content) => (content.trim() === "" ? "" : `\n\n${content.trim()}\n\n`);

const isNoteLink = (href: string | null) => href?.startsWith("#user-content-fn") === true;

const link = (name: string, href: string | null, writtenLink: WrittenLink) => {
    if (isNoteLink(href)) {
        return /^\w+$/.test(name) ? `[${name}]` : "";
    }
    return href === null ? name : linked(name, writtenLink(href));
};

const callout: Write = (content, { className }) => {
    const kind = calloutKinds.find((name) => className.split(" ").includes(name)) ?? "note";
    return `\n\n${quoted(`[!${alerts[kind]}]\n${content.trim()}`)}\n\n`;
};

const code: Write = (_, { className, textContent, firstChild, parentNode }) => {
    const isDiagram = className === "mermaid";
    const language = isDiagram ? "mermaid" : /\blanguage-(\S+)/.exec(firstChild?.className ?? "")?.[1];
    const label = parentNode?.getAttribute("data-title") ?? language;
    const info = label === language ? (language ?? "") : [language, label].filter(Boolean).join(" ");
    return `\n\n${fenced(textContent, info)}\n\n`;
};

const item: Write = (content, node) => {
    const { parentNode: list, nextSibling } = node;
    const first = Number(list?.getAttribute("start") ?? 1) || 0;
    const at = () => Array.prototype.indexOf.call(list?.children, node);
    const mark = list?.nodeName === "OL" ? `${first + at()}. ` : "- ";
    const text = content.trim().replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`);
    return `${mark}${text}${nextSibling === null ? "" : "\n"}`;
};

const checkbox: Write = (_, node) => {
    const mark = node.getAttribute("checked") === null ? "[ ]" : "[x]";
    const space = /^\s/.test(node.nextSibling?.textContent ?? "") ? "" : " ";
    return node.getAttribute("type") === "checkbox" ? mark + space : "";
};

/** Writes an element that Markdown has no characters for. */
const tag: Write = (content, { nodeName, firstChild }) => {
    const name = nodeName.toLowerCase();
    const isNote = firstChild?.nodeName === "A" && isNoteLink(firstChild.getAttribute("href"));
    return isNote || content === "" ? content : `<${name}>${content}</${name}>`;
};

const table: Write = (content) => {
    const lines = content.split("\n").filter((line) => line.trim() !== "");
    const rows = lines.filter((line) => line.startsWith("| "));
    const columns = Math.max(1, (rows[0] ?? "").split(/(?<!\\)\|/).length - 2);
    const head = [rows[0] ?? "", `|${" --- |".repeat(columns)}`];
    const others = lines.filter((line) => !line.startsWith("| "));
    return rows.length === 0 ? content : `\n\n${[...others, "", ...head, ...rows.slice(1)].join("\n")}\n\n`;
};

/** How elements are written, by their names and classes. */
const rules: readonly (readonly [names: string, write: Write])[] = [
    ["script style svg .anchor .code-title", () => ""],
    ["button label legend option", (content) => `${content.trim()} `],
    ["details caption textarea", paragraph],
    [
        "summary dt .tab-title .card-title .step-title .state-title .callout-title .color-row-title .prompt-title",
        (content, { className }) =>
            content.trim() === "" || (className === "callout-title" && isWord(content.trim()))
                ? ""
                : `\n\n**${content.trim()}**\n\n`,
    ],
    [".callout", callout],
    ["pre", code],
    ["li", item],
    ["input", checkbox],
    ["del s", (content) => (/^\s*$|\n/.test(content) ? content : `~~${content}~~`)],
    ["sup sub ins", tag],
    ["math", (_, node) => `$${(node.getElementsByTagName("annotation")[0] ?? node).textContent.trim()}$`],
    ["td th", (content) => `| ${inline(content.trim()).replace(/\|/g, "\\|")} `],
    ["tr", (content) => `\n${content}|\n`],
    ["thead tbody tfoot", (content) => content],
    ["table", table],
    [
        "a",
        (content, node, writtenLink) => {
            const text = link(content, node.getAttribute("href"), writtenLink);
            return content.includes("\n\n") ? `\n\n${text}\n\n` : text;
        },
    ],
    [
        "img",
        (_, node, writtenLink) => {
            const src = node.getAttribute("src");
            return src === null ? "" : image(node.getAttribute("alt") ?? "", writtenLink(src));
        },
    ],
    [
        "iframe video audio",
        (content, node, writtenLink) => {
            const src = node.getAttribute("src");
            return content.trim() || link(node.getAttribute("title") ?? src ?? "", src, writtenLink);
        },
    ],
    // The notes next to the name of a field.
    ["span", (content, { parentNode }) => (parentNode?.className === "field-name" ? ` ${content}` : content)],
];

let writtenLink: WrittenLink = String;
let service: TurndownService | undefined;

/** Converts with one service for all pages, because its construction takes as long as a small page. */
function toMarkdown(html: string, linkOfPage: WrittenLink): string {
    service ??= createService();
    writtenLink = linkOfPage;
    return service.turndown(html).trim();
}

function createService(): TurndownService {
    const created = new (turndown())({
        headingStyle: "atx",
        codeBlockStyle: "fenced",
        bulletListMarker: "-",
        emDelimiter: "*",
    });
    const { escape } = created;
    created.escape = (text) => escape(text).replace(/(?<=\w)\\_(?=\w)/g, "_");
    for (const [names, write] of rules.toReversed()) {
        const all = names.split(" ");
        const isOne = ({ nodeName, className }: HtmlNode) =>
            all.includes(nodeName.toLowerCase()) ||
            (typeof className === "string" && className.split(" ").some((name) => all.includes(`.${name}`)));
        created.addRule(names, {
            filter: (node) => isOne(node as unknown as HtmlNode),
            replacement: (content, node) => write(content, node as unknown as HtmlNode, writtenLink),
        });
    }
    return created;
}
