import { type SitePlan } from "../../plan/site-plan.js";
import { type WithIcon } from "../../read/settings/icon-of.js";
import { iconHtml, missingIcon } from "../../html/icons/icon.js";
import { type SiteWarning } from "../../problems/warnings.js";

/** The icons around pages: of the navigation, the bar on top and the foot. */
export class FrameIcons {
    /** Of front matter: a page with one that no set has is told itself. */
    readonly #ofPages: ReadonlySet<string | undefined>;
    readonly #known = new Map<string, string>();

    /** @param link a link of the settings, as it leads from a page */
    constructor(
        private readonly plan: SitePlan,
        private readonly link: (href: string, route: string) => string,
        private readonly warn: (warning: SiteWarning) => void,
    ) {
        this.#ofPages = new Set(plan.pages.map(({ meta }) => meta.icon));
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
        const html = iconHtml(name, iconType, this.plan.settings.iconLibrary, (src) => this.link(src, route));
        if (html === undefined && !this.#ofPages.has(name)) {
            this.warn({ kind: "icon", file: "docs.json", line: undefined, reason: missingIcon(name) });
        }
        // A picture's address differs from page to page.
        if (html?.startsWith("<img") !== true) {
            this.#known.set(key, html ?? "");
        }
        return html ?? "";
    }
}
