import { type SitePage } from "../../plan/site-page.js";
import { emptyBody, type RenderedBody } from "../../html/rendered-body.js";
import { belowBasePath, type SiteAddress } from "../../read/files/routes.js";
import { escapeHtml } from "../../text/html-text.js";
import { word } from "../../words/words.js";

/** The route of the page for unknown addresses. */
export const notFoundRoute = "404";

/** The site's own text for the page for unknown addresses. */
interface NotFoundText {
    readonly title: string | undefined;
    readonly html: string | undefined;
}

/** The page for unknown addresses, in the frame of all other pages. */
export function notFoundPage(siteName: string, { title, html }: NotFoundText): { page: SitePage; body: RenderedBody } {
    const name = title ?? word("notFound");
    const page = {
        route: notFoundRoute,
        file: "",
        source: "",
        hasSource: false,
        meta: { noindex: true },
        title: name,
        label: name,
        problems: [],
        subject: undefined,
        cacheKey: "",
    };
    const home = `<p><a href="index.html">${word("home")} – ${escapeHtml(siteName)}</a></p>`;
    const text = `${html ?? `<p>${word("notFoundText")}</p>`}\n${home}`;
    return { page, body: { ...emptyBody, html: text } };
}

/**
 * Makes the addresses of a page absolute, because servers show the page at any depth. Links within the page
 * (`#content-area`) are not changed.
 * @param html of a page at the root of the site
 */
export function fromRoot(html: string, { basePath }: SiteAddress): string {
    const start = `/${belowBasePath(basePath, "")}`;
    return html
        .replace(tag, (text) => text.replace(address, `$1"${start}`).replace(' data-root=""', ` data-root="${start}"`))
        .replaceAll(`href="${start}index.html"`, `href="${start}"`)
        .replace(/@import url\("(?!\/|[a-z][a-z\d+.-]*:)/gi, `$&${start}`);
}

const tag = /<[a-z][^<>]*>/gi;
const address = /( (?:href|src|data-search|data-index|data-diagrams)=)"(?![/#]|[a-z][a-z\d+.-]*:)(?:\.\/)?/gi;

/** Redirects to the first page immediately, as `errors.404.redirect` requires. */
export function leadingHome(html: string, { basePath }: SiteAddress): string {
    const refresh = `<meta http-equiv="refresh" content="0; url=/${belowBasePath(basePath, "")}">`;
    return html.replace("<title>", `${refresh}\n<title>`);
}
