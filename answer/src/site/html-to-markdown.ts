import TurndownService from "turndown";

const maxCharacters = 1024 * 1024;
const maxDepth = 200;
const maxSpaces = 1000;

/**
 * The article of an exported page as Markdown, for pages without a Markdown copy, such as pages generated from an API's
 * document.
 *
 * @returns undefined for a page that is missing, too large, or cannot be read
 */
export function markdownOf(html: string | undefined): string | undefined {
    const article = html?.slice(html.search(/<article[ >]/), html.lastIndexOf("</article>"));
    if (article === undefined || article === "" || article.length > maxCharacters || isHostile(article)) {
        return undefined;
    }
    const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
    service.remove(["script", "style", "button", "form", "template"]);
    try {
        return `${service.turndown(article).trim()}\n`;
    } catch {
        // Elements may be nested deeper than recursive calls can follow.
        return undefined;
    }
}

/**
 * Whether the library would take long: it reads the text of an element again for each element around it, and its time
 * grows with the square of the longest white space.
 */
function isHostile(html: string): boolean {
    let depth = 0;
    for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][\w-]*)\b/gi)) {
        if (!endedByOthers.has(name.toLowerCase())) {
            depth += slash === "/" ? -1 : 1;
        }
        if (depth > maxDepth) {
            return true;
        }
    }
    return (html.match(/\s+/g) ?? []).some(({ length }) => length > maxSpaces);
}

/** Elements that end with the next one of their kind, or that contain nothing. */
const endedByOthers = new Set(
    "p li dt dd tr td th option thead tbody tfoot colgroup area base br col embed hr img input link meta param source track wbr".split(
        " ",
    ),
);
