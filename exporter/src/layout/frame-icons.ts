import { type SitePage } from "../plan/site-page.js";
import { type WithIcon } from "../settings/icon-of.js";
import { iconHtml, missingIcon } from "../icons/icon.js";
import { type IconLibrary } from "../icons/icon-set.js";
import { type SiteWarning } from "../problems/warnings.js";

export interface FrameIconsOptions {
    readonly library: IconLibrary | undefined;
    readonly pages: readonly SitePage[];
    /** A link of the settings, as it leads from a page. */
    readonly link: (href: string, route: string) => string;
    readonly warn: (warning: SiteWarning) => void;
}

/** The icons around pages: of the navigation, the bar on top and the foot. */
export class FrameIcons {
    /** Of front matter: a page with one that no set has is told itself. */
    readonly #ofPages: ReadonlySet<string | undefined>;
    readonly #known = new Map<string, string>();

    constructor(private readonly options: FrameIconsOptions) {
        this.#ofPages = new Set(options.pages.map(({ meta }) => meta.icon));
    }

    /** Empty where there is none, or where no set has it. */
    html({ icon: name, iconType }: WithIcon, route: string): string {
        if (name === undefined) {
            return "";
        }
        const key = iconType === undefined ? name : `${name}\0${iconType}`;
        const known = this.#known.get(key);
        if (known !== undefined) {
            return known;
        }
        const { library, link, warn } = this.options;
        const html = iconHtml(name, iconType, library, (src) => link(src, route));
        if (html === undefined && !this.#ofPages.has(name)) {
            warn({ kind: "icon", file: "docs.json", line: undefined, reason: missingIcon(name) });
        }
        // A picture's address differs from page to page.
        if (html?.startsWith("<img") !== true) {
            this.#known.set(key, html ?? "");
        }
        return html ?? "";
    }
}
