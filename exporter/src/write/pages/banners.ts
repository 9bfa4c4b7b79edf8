import { getOrMake } from "../../text/get-or-make.js";
import { type FrameSettings, type SiteSettings } from "../../read/settings/site-settings.js";
import { escapeHtml } from "../../text/html-text.js";
import { type ResolvedLink } from "../../plan/links/link-resolver.js";
import { type PageBodies } from "../../render/body/page-bodies.js";

type Banner = NonNullable<FrameSettings["banner"]>;

/** A placeholder for an address: no Markdown contains this character. */
const place = "\0";

/** Writes the notes at the top of every page. */
export class Banners {
    readonly #texts = new Map<Banner, { readonly pieces: readonly string[]; readonly hrefs: readonly string[] }>();

    constructor(
        private readonly settings: SiteSettings,
        private readonly bodies: Pick<PageBodies, "fragment">,
        private readonly resolve: (href: string, route: string) => ResolvedLink,
    ) {}

    /** Returns the reasons why links in banners are broken. Each reason is reported once for all pages. */
    problems(route: string): readonly { readonly href: string; readonly reason: string }[] {
        const { banner, languages = {} } = this.settings;
        const all = [banner, ...Object.values(languages).map((frame) => frame.banner)];
        const hrefs = all.flatMap((each) => (each?.content === undefined ? [] : this.#textOf(each).hrefs));
        return [...new Set(hrefs)].flatMap((href) => {
            const { problem } = this.resolve(href, route);
            return problem === undefined ? [] : [{ href, reason: problem }];
        });
    }

    of(banner: Banner | undefined, route: string): string {
        if (banner?.content === undefined) {
            return "";
        }
        const { type, color, dismissible } = banner;
        const { pieces, hrefs } = this.#textOf(banner);
        const links = hrefs.map((href) => escapeHtml(this.resolve(href, route).href));
        const html = pieces.map((piece, at) => `${piece}${links[at] ?? ""}`).join("");
        const close = dismissible === true ? '<button type="button" aria-label="Close" hidden>×</button>' : "";
        const kind = `banner${color === undefined ? (type === undefined ? "" : ` ${type}`) : " coloured"}`;
        const style = color === undefined ? "" : ` style="--light:${color.light};--dark:${color.dark}"`;
        return `<div class="${kind}" role="region" aria-label="Announcement" id="banner"${style}>${html}${close}</div>\n`;
    }

    /**
     * A banner's text as HTML: the pieces around the addresses of its links, and these addresses as written. The text
     * is rendered once, because only the addresses differ between pages.
     */
    #textOf(banner: Banner) {
        return getOrMake(this.#texts, banner, () => {
            const hrefs: string[] = [];
            const html = this.bodies.fragment(banner.content ?? "", (href) => {
                hrefs.push(href);
                return place;
            });
            return { pieces: html.split(place), hrefs };
        });
    }
}
