import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { attribute, elementsIn } from "./page-elements.js";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** The text and links of an exported page. */
export interface PageContent {
    readonly title: string;
    /** The page's text without navigation and footer. */
    readonly text: string;
    /** The targets of `#anchor` links. */
    readonly ids: ReadonlySet<string>;
    /** The addresses of the page's links and pictures, as written. */
    readonly hrefs: readonly string[];
    /** The target of a page that only redirects. */
    readonly redirectsTo?: string;
}

/** Elements whose text readers do not see, and links to other pages. */
const withoutOwnText = new Set(["script", "style", "template", "noscript", "nav"]);

export function readPage(html: string): PageContent {
    const elements = [...elementsIn(parse(html))];
    const find = (name: string) => elements.find(({ tagName }) => tagName === name);
    const main = find("main") ?? find("body");
    const refresh = elements.find((element) => attribute(element, "http-equiv")?.toLowerCase() === "refresh");
    const target = /^\s*0\s*;\s*url=(.*)$/i.exec(attribute(refresh, "content") ?? "")?.[1];
    return {
        title: collapse(textOf(find("title"))),
        text: collapse(ownParts(main).map(textOf).join(" ")),
        ids: new Set(elements.flatMap((element) => attribute(element, "id") ?? [])),
        hrefs: [
            ...new Set(
                elements.flatMap((element) =>
                    element.tagName === "a"
                        ? (attribute(element, "href") ?? [])
                        : element.tagName === "img"
                          ? (attribute(element, "src") ?? [])
                          : [],
                ),
            ),
        ],
        ...(target !== undefined && { redirectsTo: target }),
    };
}

/**
 * The page's article; without an article, everything except the page's footer. Footers within the text remain, because
 * they name sources.
 */
function ownParts(main: Element | undefined): Node[] {
    const parts = (main?.childNodes ?? []).filter(({ nodeName }) => nodeName !== "footer");
    const articles = parts.filter(({ nodeName }) => nodeName === "article");
    return articles.length === 1 ? articles : parts;
}

function textOf(part: Node | undefined): string {
    let text = "";
    const open: Node[] = part === undefined ? [] : [part];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (next.nodeName === "#text" && "value" in next) {
            text += `${next.value} `;
        } else if ("childNodes" in next && !withoutOwnText.has(next.nodeName)) {
            open.push(...next.childNodes.toReversed());
        }
    }
    return text;
}

function collapse(text: string): string {
    return text.replace(/\s+/g, " ").trim();
}
