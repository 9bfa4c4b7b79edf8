import TurndownService from "turndown";

/** The maximum size of a page, because converting a hostile page takes time in proportion to its size. */
const maxCharacters = 1024 * 1024;

/**
 * The article of an exported page as Markdown, for pages without a Markdown copy, such as pages generated from an API's
 * document.
 *
 * @returns undefined for a page that is missing, too large, or cannot be read
 */
export function markdownOf(html: string | undefined): string | undefined {
    const article = html?.slice(html.search(/<article[ >]/), html.lastIndexOf("</article>"));
    if (article === undefined || article === "" || article.length > maxCharacters) {
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
