import { lineOfKey } from "../../read/front-matter/front-matter.js";
import { homeRoute, htmlFileOf, relativeHref } from "../../read/files/routes.js";
import { missingIcon, iconHtml } from "../../html/icon.js";
import { type PageLink, type PageView } from "../../render/layout/page-view.js";
import { PageLists, styleOfCutLists } from "../../render/navigation/page-lists.js";
import { type ThemeFiles } from "../../render/layout/theme-files.js";
import { accentStyleOf } from "../../render/layout/accents.js";
import { appearanceStyle } from "../../render/layout/appearance-style.js";
import { SwitcherWriter } from "../../render/layout/switchers.js";
import { resolveLink, type LinkTargets, type ResolvedLink, routeOfLink } from "../../plan/links/link-resolver.js";
import { Places } from "../../plan/navigation/places.js";
import { isMadeOfModel, operationOf, type SitePage } from "../../plan/site-page.js";
import { siteNameOf, type SitePlan } from "../../plan/site-plan.js";
import { type FoundWarning } from "../../problems/warning-log.js";
import { getOrMake } from "../../text/get-or-make.js";
import { SearchScopes } from "../search/scopes.js";
import { type WithIcon, bothOf } from "../../read/settings/setting-values.js";
import { type PageBodies } from "../../render/body/page-bodies.js";
import { Banners } from "./banners.js";
import { hasWords } from "../../words/words.js";

interface SiteFrameOptions {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    readonly bodies: PageBodies;
    /** Called with each file that a link or a picture in the settings refers to. */
    readonly onAsset: (file: string) => void;
    readonly warn: (warning: FoundWarning) => void;
}

/** The frame around a page's body. */
type SurroundingsOfPage = Omit<
    PageView,
    "page" | "body" | "description" | "leadHtml" | "markdown" | "feedHref" | "hasUtilities" | "hasTryIt"
>;

/** Writes the frames of pages: lists of pages, and the links, pictures and notes of the settings. */
export class SiteFrame {
    readonly searchScopes: SearchScopes;
    readonly lists: PageLists;
    readonly #siteName: string;
    readonly #targets: LinkTargets;
    readonly #places: Places;
    readonly #switchers: SwitcherWriter;
    readonly #icons: FrameIcons;
    readonly #banners: Banners;
    readonly #accentStyle: string;
    readonly #lookStyle: ReturnType<typeof appearanceStyle>;

    /** @throws EngineNotLoadedError */
    constructor(private readonly options: SiteFrameOptions) {
        const { bodies, onAsset, plan, theme, warn } = options;
        const { byRoute, navigation, pages, settings, targets } = plan;
        this.#siteName = siteNameOf(plan);
        this.#targets = { ...targets, onAsset };
        this.#places = new Places(navigation);
        this.searchScopes = new SearchScopes(
            this.#places,
            pages.map(({ route }) => route),
        );
        const link = (href: string, route: string) => this.href(href, route);
        this.#icons = new FrameIcons(plan, link, warn);
        const icon = (shown: WithIcon, route: string) => this.#icons.html(shown, route);
        const shared = { places: this.#places, link, icon, pages: byRoute };
        this.lists = new PageLists(shared, theme.listFolder);
        this.#switchers = new SwitcherWriter({ ...shared, globalLinks: navigation.links, site: targets });
        this.#accentStyle = accentStyleOf(settings.colors);
        this.#lookStyle = appearanceStyle(settings);
        this.#banners = new Banners(settings, bodies, (href, route) => this.#resolve(href, route));
        this.#banners.problems(homeRoute).forEach(({ href, reason }) => {
            warn({ kind: "link", setting: { value: href }, reason });
        });
    }

    /** The first page of each section of the navigation that contains pages, by section number. */
    firstPages(): ReadonlyMap<number, string> {
        const firsts = new Map<number, string>();
        for (const { route } of this.options.plan.pages) {
            getOrMake(firsts, this.#places.sectionOf(route), () => route);
        }
        return firsts;
    }

    /** Rewrites a link in `docs.json`, which is relative to the site's folder, for the page. */
    href(href: string, route: string): string {
        return this.#resolve(href, route).href;
    }

    /** The code of a page's language; undefined for an unknown language. */
    languageOf(page: SitePage, { language } = this.#switchers.write(page.route)): string | undefined {
        return pageLanguage(page, language, this.#targets.pages);
    }

    /** @param index of the page in the plan */
    around(page: SitePage, index: number): SurroundingsOfPage {
        const { features, pages, settings, styles, targets } = this.options.plan;
        const { route, meta } = page;
        this.#warnOfIcon(page);
        const href = (address: string) => this.href(address, route);
        const switchers = this.#switchers.write(route);
        const { banner, navbar, footer } = { ...settings, ...settings.languages?.[switchers.language ?? ""] };
        const isListed = this.#places.isListed(route);
        const isCut = this.lists.isCutFor(route);
        const isAlone = !isListed || meta.hideFooterPagination === true;
        return {
            siteName: this.#siteName,
            site: targets,
            settings,
            isIndexed: isListed || settings.indexesAll === true || isMadeOfModel(page),
            href,
            icon: (shown) => this.#icons.html(shown, route),
            related: this.#related(page),
            group: this.lists.sidebar.groupsOf(route).slice(settings.breadcrumbs === true ? 0 : -1),
            documentHref: this.#documentHref(page),
            directoryHtml: this.lists.sidebar.directory(route),
            switchers,
            sidebarHtml: this.lists.sidebar.links(route),
            logo: this.#logo(route),
            accentStyle: this.#accentStyle,
            isListCut: isCut,
            lookStyle: this.#lookStyle(href) + (isCut ? styleOfCutLists : ""),
            navbar,
            footer,
            bannerHtml: this.#banners.of(banner, route),
            styles: styles.map((file) => relativeHref(route, file)),
            section: this.#places.sectionOf(route),
            searchScope: features.search ? this.searchScopes.numberOf(route) : undefined,
            searchFilter: features.search && features.assistant ? this.searchScopes.filterFor(route) : undefined,
            hasMcp: features.mcp,
            previous: isAlone ? undefined : this.#pageLink(pages[index - 1], route),
            next: isAlone ? undefined : this.#pageLink(pages[index + 1], route),
            language: this.languageOf(page, switchers),
        };
    }

    #resolve(href: string, route: string): ResolvedLink {
        return resolveLink(href, { file: homeRoute, route }, this.#targets);
    }

    #warnOfIcon({ file, route, meta, source }: SitePage): void {
        const { icon = "" } = meta;
        if (icon.trim() !== "" && this.#icons.html(meta, route) === "") {
            this.options.warn({ kind: "icon", file, line: lineOfKey(source, "icon"), reason: missingIcon(icon) });
        }
    }

    /**
     * Returns the address of the operation's document; undefined if the document is not published, or the menu does not
     * offer it.
     */
    #documentHref(page: SitePage): string | undefined {
        const { settings, targets } = this.options.plan;
        const file = operationOf(page)?.document.file;
        return file !== undefined && targets.assets.has(file) && settings.pageMenu?.options?.includes("download-spec")
            ? this.href(`/${file}`, page.route)
            : undefined;
    }

    /** Returns undefined for a missing logo, which other code reports; pages show the site's name instead. */
    #logo(route: string): PageView["logo"] {
        const { logo } = this.options.plan.settings;
        const [light, dark] = [logo?.light, logo?.dark].map((href) => {
            const link = href === undefined ? undefined : this.#resolve(href, route);
            return link?.problem === undefined ? link?.href : undefined;
        });
        return bothOf(light, dark);
    }

    /** Returns the related pages, and reports missing ones with the line in the page. */
    #related(page: SitePage): PageLink[] {
        const { file, route, meta } = page;
        return (meta.related ?? []).map(({ href, title }) => {
            const { href: resolved, problem } = this.#resolve(href, route);
            if (problem !== undefined) {
                const line = lineOfKey(page.source, "related");
                this.options.warn({ kind: "link", file, line, reason: problem });
            }
            const target = this.options.plan.byRoute.get(routeOfLink(href, this.#targets) ?? "");
            return { href: resolved, title: title ?? target?.label ?? href };
        });
    }

    #pageLink(page: SitePage | undefined, fromRoute: string): PageLink | undefined {
        return page && this.#places.areTogether(page.route, fromRoute)
            ? { href: relativeHref(fromRoute, htmlFileOf(page.route)), title: page.label }
            : undefined;
    }
}

/** The icons around pages: in the navigation, the top bar and the footer. */
class FrameIcons {
    /** Unknown icons in front matter are reported on their own page. */
    readonly #ofPages: ReadonlySet<string | undefined>;
    readonly #known = new Map<string, string>();

    /** @param link a link of the settings, rewritten for a page */
    constructor(
        private readonly plan: SitePlan,
        private readonly link: (href: string, route: string) => string,
        private readonly warn: (warning: FoundWarning) => void,
    ) {
        this.#ofPages = new Set(plan.pages.map(({ meta }) => meta.icon));
    }

    /** Returns an icon as HTML; empty without an icon, or if no set contains it. */
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
            this.warn({ kind: "icon", setting: { value: name }, reason: missingIcon(name) });
        }
        // The address of a picture differs from page to page.
        if (html?.startsWith("<img") !== true) {
            this.#known.set(key, html ?? "");
        }
        return html ?? "";
    }
}

/**
 * The code of a page's language: from the navigation or the page itself, otherwise from the folder of a language that
 * has the same page as another folder (`fr/start` next to `start` or `en/start`). Undefined for an unknown language.
 * @param ofNavigation the language of the navigation that lists the page
 * @param routes of all pages of the site
 */
function pageLanguage(
    { route, meta }: SitePage,
    ofNavigation: string | undefined,
    routes: ReadonlyMap<string, unknown>,
): string | undefined {
    const lang = meta.values?.["lang"];
    if (ofNavigation !== undefined) {
        return ofNavigation;
    }
    if (typeof lang === "string" && /^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i.test(lang)) {
        return lang;
    }
    const slash = route.indexOf("/");
    const folder = slash === -1 ? route : route.slice(0, slash);
    const inFolder = slash === -1 ? "index" : route.slice(slash + 1);
    if (!/^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(folder) || !hasWords(folder)) {
        return undefined;
    }
    const others = [inFolder, slash === -1 ? "en" : `en/${inFolder}`].filter((other) => other !== route);
    return others.some((other) => routes.has(other)) ? folder : undefined;
}
