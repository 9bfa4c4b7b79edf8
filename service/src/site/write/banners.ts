import { type SiteSettings } from "../read/docs-config.js";
import { type Banner } from "../read/page-frame.js";
import { type ResolvedLink } from "../render/link-resolver.js";
import { type PageBodies } from "./page-bodies.js";

/** Writes the notes that stand on top of every page. */
export class Banners {
    readonly #settings: SiteSettings;
    readonly #bodies: Pick<PageBodies, "fragment">;
    readonly #resolve: (href: string, route: string) => ResolvedLink;

    constructor(
        settings: SiteSettings,
        bodies: Pick<PageBodies, "fragment">,
        resolve: (href: string, route: string) => ResolvedLink,
    ) {
        this.#settings = settings;
        this.#bodies = bodies;
        this.#resolve = resolve;
    }

    /** Why links of banners lead nowhere: told once for all pages. */
    problems(route: string): readonly string[] {
        const { banner, languages = {} } = this.#settings;
        const problems: string[] = [];
        for (const each of [banner, ...Object.values(languages).map((frame) => frame.banner)]) {
            this.#html(each, (href) => {
                const { href: resolved, problem } = this.#resolve(href, route);
                problems.push(...(problem === undefined ? [] : [problem]));
                return resolved;
            });
        }
        return [...new Set(problems)];
    }

    of(banner: Banner | undefined, route: string): string {
        if (banner === undefined) {
            return "";
        }
        const { type, color, dismissible } = banner;
        const html = this.#html(banner, (href) => this.#resolve(href, route).href);
        const close = dismissible ? '<button type="button" aria-label="Close" hidden>×</button>' : "";
        const kind = `banner${color === undefined ? (type === undefined ? "" : ` ${type}`) : " coloured"}`;
        const style = color === undefined ? "" : ` style="--light:${color.light};--dark:${color.dark}"`;
        return `<div class="${kind}" role="region" aria-label="Announcement"${style}>${html}${close}</div>\n`;
    }

    #html(banner: Banner | undefined, link: (href: string) => string): string {
        return banner === undefined ? "" : this.#bodies.fragment("docs.json", banner.content, link);
    }
}
