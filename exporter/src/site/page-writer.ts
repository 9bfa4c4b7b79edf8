import { type NavbarLink } from "../settings/page-frame.js";
import { type FrameSettings } from "../settings/site-settings.js";
import { lineOfKey } from "../front-matter/front-matter.js";
import {
    belowBasePath,
    canonicalUrl,
    feedFileOf,
    homeRoute,
    htmlFileOf,
    markdownFileOf,
    relativeHref,
} from "../files/routes.js";
import { PictureSizes } from "../files/picture-sizes.js";
import { withPictureSizes } from "../html/picture-tags.js";
import { type RenderedBody } from "../page/render-host.js";
import { operationOf, type SitePage } from "../plan/site-page.js";
import { siteNameOf } from "../plan/site-name.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type WithIcon } from "../settings/icon-of.js";
import { accentsOf, type Accents } from "../layout/styles/accents.js";
import { type PageLink } from "../layout/article.js";
import { writePage, type PageView } from "../layout/page-template.js";
import { lookStyleOf } from "../layout/styles/look-style.js";
import { Places } from "../navigation/places.js";
import { Sidebar, type PageLabel } from "../layout/sidebar.js";
import { SwitcherWriter } from "../layout/switchers.js";
import { missingIcon, type IconSettings } from "../icons/icon.js";
import { escapeHtml } from "../text/html-text.js";
import { type AnchorCheck } from "../links/anchor-check.js";
import { resolveLink, routeOfLink, type LinkTargets } from "../links/link-resolver.js";
import { type SearchSection } from "../text/search-text.js";
import { SearchScopes } from "../search/scopes.js";
import { type SiteWarning, type WarningLog } from "../problems/warnings.js";
import { type NotFoundText } from "../generated/side-files.js";
import { updateMark, writeFeed } from "../generated/feed.js";
import { type PageCache } from "../plan/page-cache.js";
import { PageBodies } from "../body/page-bodies.js";
import { hasTryIt } from "../body/render-body.js";
import { endpointOf, labelOf, metadataOf, shownDayOf } from "../layout/page-details.js";
import { inWordsOf } from "../words/words.js";
import { bothOf } from "../settings/setting-values.js";
import { pageLanguage } from "../layout/page-language.js";
import { Banners } from "./banners.js";
import { FrameIcons } from "../layout/frame-icons.js";
import { UtilityClasses } from "../layout/styles/utility-classes.js";
import { type ThemeFiles } from "../layout/theme-files.js";

export interface PageWriterOptions {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    readonly cache: PageCache;
    readonly version: string | undefined;
    readonly warnings: WarningLog;
    /** Of all pages of the export. */
    readonly anchors: AnchorCheck;
}

interface WrittenPage {
    readonly html: string;
    readonly sections: readonly SearchSection[];
    /** The page's own, without markup. */
    readonly description: string | undefined;
    readonly isSearched: boolean;
    /** The feed of its updates. */
    readonly feed: string | undefined;
}

/** Settings' links lead from here. */
const home = { file: homeRoute, route: homeRoute };

/** Turns pages into files: puts the site's frame around each body. */
export class PageWriter {
    readonly siteName: string;
    hasDiagrams = false;
    readonly utilityClasses: UtilityClasses;
    readonly searchScopes: SearchScopes;
    readonly #options: PageWriterOptions;
    readonly #labels: ReadonlyMap<string, PageLabel>;
    readonly #sidebar: Sidebar;
    readonly #switchers: SwitcherWriter;
    readonly #places: Places;
    readonly #bodies: PageBodies;
    readonly #banners: Banners;
    readonly #icons: FrameIcons;
    readonly #pictures: PictureSizes;
    readonly #accents: Accents | undefined;
    readonly #lookStyle: ReturnType<typeof lookStyleOf>;
    /** Files that links lead to. */
    readonly linkedAssets = new Set<string>();
    readonly importedFiles = new Set<string>();
    readonly #frameTargets: LinkTargets;

    /** @throws EngineNotLoadedError */
    constructor(options: PageWriterOptions) {
        this.#options = options;
        const { navigation, pages, settings, targets } = options.plan;
        this.utilityClasses = new UtilityClasses(options.theme.contents.get(options.theme.styles) ?? "");
        this.siteName = siteNameOf(options.plan);
        const onAsset = (file: string) => void this.linkedAssets.add(file);
        this.#frameTargets = { ...targets, onAsset };
        this.#accents = accentsOf(settings.colors);
        this.#lookStyle = lookStyleOf(settings);
        const icons: IconSettings = { library: settings.iconLibrary ?? "fontawesome" };
        this.#bodies = new PageBodies({
            ...options,
            icons,
            warn: (warning) => this.#warn(warning),
            onAsset,
            onImport: (file) => void this.importedFiles.add(file),
            onAnchors: (anchors) => options.anchors.add(anchors),
        });
        this.#icons = new FrameIcons(icons, {
            pages,
            link: (href, route) => this.#settingHref(href, route),
            warn: (warning) => this.#warn(warning),
        });
        this.#pictures = new PictureSizes(options.plan.content);
        this.#places = new Places(navigation);
        const routes = pages.map(({ route }) => route);
        this.searchScopes = new SearchScopes(this.#places, routes);
        const shared = {
            places: this.#places,
            link: (href: string, route: string) => this.#settingHref(href, route),
            icon: (shown: WithIcon, route: string) => this.#icons.html(shown, route),
        };
        this.#labels = new Map(pages.map((page) => [page.route, labelOf(page)]));
        this.#sidebar = new Sidebar({ ...shared, labels: this.#labels });
        this.#switchers = new SwitcherWriter({ ...shared, globalLinks: navigation.links, site: targets });
        this.#banners = new Banners(settings, this.#bodies, (href, route) =>
            resolveLink(href, { ...home, route }, this.#frameTargets),
        );
        this.#banners.problems(home.route).forEach((reason) => {
            options.warnings.add({ kind: "link", file: "docs.json", line: undefined, reason });
        });
    }

    /** How many pages were not rendered. */
    get reusedCount(): number {
        return this.#bodies.reusedCount;
    }

    /** The first page of each section of the navigation that has any, by the section's number. */
    firstPages(): ReadonlyMap<number, string> {
        const firsts = new Map<number, string>();
        for (const { route } of this.#options.plan.pages) {
            const section = this.#places.sectionOf(route);
            firsts.set(section, firsts.get(section) ?? route);
        }
        return firsts;
    }

    /** The list of pages that stands beside a page, and where its search looks. */
    seenFrom(route: string): { readonly list: string; readonly scope: number } {
        return { list: this.#sidebar.links(route), scope: this.searchScopes.numberOf(route) };
    }

    async write(page: SitePage, index: number): Promise<WrittenPage> {
        const { plan, theme, version } = this.#options;
        const { settings, pages, targets } = plan;
        const body = this.#withPictureSizes(await this.#bodies.of(page), page.route);
        this.hasDiagrams ||= body.hasDiagram;
        const classes = this.utilityClasses.namesIn(body.html + (body.beside?.html ?? ""));
        this.utilityClasses.add(classes);
        const { route, meta } = page;
        if (meta.icon !== undefined && this.#icons.html(meta, route) === "" && meta.icon.trim() !== "") {
            const line = lineOfKey(page.source, "icon");
            this.#warn({ kind: "icon", file: page.file, line, reason: missingIcon(meta.icon) });
        }
        const asset = (href: string) => this.#settingHref(href, route);
        const links = (items: readonly NavbarLink[] = []) =>
            items.map(({ label, href, isIconAlone = false, isButton = false, ...icon }) => ({
                label,
                href: asset(href),
                icon: this.#icons.html(icon, route),
                isIconAlone,
                isButton,
            }));
        const switchers = this.#switchers.write(route);
        const language = this.#languageOf(page, switchers.language);
        const frame: FrameSettings = { ...settings, ...settings.languages?.[switchers.language ?? ""] };
        const isHidden = !this.#places.isListed(route);
        const isIndexed = !isHidden || settings.indexesAll === true;
        const url = canonicalUrl(targets, route);
        const description = body.lead?.text ?? (route === homeRoute ? settings.description : undefined);
        const feed =
            page.meta.rss !== false && body.html.includes(updateMark)
                ? writeFeed({ title: page.title, description, url, html: inWordsOf(language, body.html) })
                : undefined;
        const isAlone = isHidden || meta.hideFooterPagination === true;
        const html = writePage(
            {
                route,
                siteName: this.siteName,
                title: page.title,
                description,
                leadHtml: body.lead?.html ?? (description === undefined ? undefined : escapeHtml(description)),
                metadata: metadataOf(page, { settings, site: targets, isIndexed, href: asset }),
                endpoint: endpointOf(page, settings),
                isDeprecated: meta.deprecated === true && operationOf(page) === undefined,
                changedOn: shownDayOf(page, settings),
                related: this.#related(page),
                feedHref: feed === undefined ? undefined : relativeHref(route, feedFileOf(route)),
                hasFeedLink: page.meta.rss === true,
                group: this.#sidebar.groupsOf(route).slice(settings.breadcrumbs === true ? 0 : -1),
                searchPrompt: settings.searchPrompt,
                bodyHtml: body.html,
                beside: body.beside,
                directoryHtml: this.#sidebar.directory(route),
                hasTitle: body.hasTitle,
                toc: body.toc,
                switchers,
                sidebarHtml: this.#sidebar.links(route),
                brandHref:
                    settings.logo?.href === undefined
                        ? relativeHref(route, htmlFileOf(homeRoute))
                        : asset(settings.logo.href),
                logo: this.#logo(route),
                favicon: settings.favicon && {
                    light: asset(settings.favicon.light),
                    dark: asset(settings.favicon.dark),
                },
                accents: this.#accents,
                lookStyle: this.#lookStyle(asset),
                navbarLinks: [...links(frame.navbar?.links), ...links(frame.navbar?.primary)],
                footerLinks: (frame.footer?.links ?? []).map(({ title, items }) => ({ title, items: links(items) })),
                socials: links(frame.footer?.socials),
                bannerHtml: this.#banners.of(frame.banner, route),
                appearance: settings.appearance,
                hasDiagram: body.hasDiagram,
                styles: plan.styles.map((file) => relativeHref(route, file)),
                hasUtilities: classes.length > 0,
                hasTryIt: hasTryIt(plan.features, page),
                section: this.#places.sectionOf(route),
                searchScope: plan.features.search ? this.searchScopes.numberOf(route) : undefined,
                mode: page.meta.mode,
                markdownHref: page.hasSource ? relativeHref(route, markdownFileOf(route)) : undefined,
                previous: isAlone ? undefined : this.#pageLink(pages[index - 1], route),
                next: isAlone ? undefined : this.#pageLink(pages[index + 1], route),
                version,
                language,
            },
            theme,
        );
        const isSearched = isIndexed && meta.noindex !== true && meta.searchable !== false;
        return { html, sections: body.sections, description: body.lead?.text, isSearched, feed };
    }

    /**
     * What the page for unknown addresses says, with links from the domain's root: it is shown at any depth.
     *
     * @throws EngineNotLoadedError
     */
    notFoundText(): NotFoundText {
        const { settings, targets } = this.#options.plan;
        const { title, description, redirect: leadsHome = false } = settings.notFound ?? {};
        const link = (href: string) => {
            const resolved = this.#settingHref(href, home.route);
            return /^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(resolved)
                ? resolved
                : `/${belowBasePath(targets.basePath, resolved.replace(/^\.\//, ""))}`;
        };
        const html = description === undefined ? undefined : this.#bodies.fragment("docs.json", description, link);
        const [first] = this.#options.plan.pages;
        return {
            title,
            html,
            leadsHome,
            language: first && this.#languageOf(first, this.#switchers.write(first.route).language),
        };
    }

    #withPictureSizes(body: RenderedBody, route: string): RenderedBody {
        const sized = (html: string) => withPictureSizes(html, route, (file) => this.#pictures.of(file));
        const { html, beside } = body;
        // Only a title stands before what is beside the text, and its length counts.
        const at = beside?.at ?? 0;
        return {
            ...body,
            html: html.slice(0, at) + sized(html.slice(at)),
            beside: beside && { html: sized(beside.html), at },
        };
    }

    #languageOf({ route, meta }: SitePage, ofNavigation: string | undefined): string | undefined {
        const { pages } = this.#options.plan.targets;
        return pageLanguage({ route, lang: meta.values?.["lang"], ofNavigation, pages });
    }

    #warn(warning: SiteWarning): void {
        this.#options.warnings.add(warning);
    }

    /** A missing logo is reported elsewhere; readers see the site's name instead. */
    #logo(route: string): PageView["logo"] {
        const { logo } = this.#options.plan.settings;
        const [light, dark] = [logo?.light, logo?.dark].map((href) => {
            const link = href === undefined ? undefined : resolveLink(href, { ...home, route }, this.#frameTargets);
            return link?.problem === undefined ? link?.href : undefined;
        });
        return bothOf(light, dark);
    }

    /** Links of `docs.json` are written from the site's folder. */
    #settingHref(href: string, route: string): string {
        const fromRoot = { ...home, route };
        return resolveLink(href, fromRoot, this.#frameTargets).href;
    }

    /** Pages that a page names; a missing one is reported with the page's line. */
    #related(page: SitePage): PageLink[] {
        const { file, route, meta } = page;
        return (meta.related ?? []).map(({ href, title }) => {
            const { href: resolved, problem } = resolveLink(href, { ...home, route }, this.#frameTargets);
            if (problem !== undefined) {
                this.#warn({ kind: "link", file, line: lineOfKey(page.source, "related"), reason: problem });
            }
            const target = routeOfLink(href, this.#frameTargets);
            return { href: resolved, title: title ?? this.#labels.get(target ?? "")?.title ?? href };
        });
    }

    #pageLink(page: SitePage | undefined, fromRoute: string): PageLink | undefined {
        return page && this.#places.areTogether(page.route, fromRoute)
            ? { href: relativeHref(fromRoute, htmlFileOf(page.route)), title: page.label }
            : undefined;
    }
}
