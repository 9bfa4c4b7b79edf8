import { type NavbarLink } from "../read/docs-config.js";
import { canonicalUrl, feedFileOf, homeRoute, htmlFileOf, markdownFileOf, relativeHref } from "../read/routes.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { writePage, type PageLink } from "../render/frame/page-template.js";
import { Places } from "../render/frame/places.js";
import { Sidebar, type PageLabel } from "../render/frame/sidebar.js";
import { SwitcherWriter } from "../render/frame/switchers.js";
import { writeCode } from "../render/code-block.js";
import { escapeHtml } from "../render/html-text.js";
import { iconHtml, type IconSettings } from "../render/icons/icon.js";
import { resolveLink, type LinkTargets } from "../render/link-resolver.js";
import { renderOperation } from "../render/openapi/operation-page.js";
import { type Place, type RenderedBody, type RenderHost } from "../render/render-host.js";
import { renderPage } from "../render/render-page.js";
import { type SearchSection } from "../render/search-text.js";
import { type GroupTerms } from "../search/group-terms.js";
import { SearchScopes } from "../search/scopes.js";
import { ModuleLoader } from "../render/values/module-loader.js";
import { type SiteWarning, type WarningLog } from "../warnings.js";
import { writeFeed } from "./feed.js";
import { type PageCache, type SeenLink } from "../plan/page-cache.js";
import { type PartFacts, PartRecorder } from "./part-facts.js";
import { type ThemeFiles } from "../read/theme-files.js";

export interface PageWriterOptions {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    readonly cache: PageCache;
    readonly version: string | undefined;
    readonly warnings: WarningLog;
}

interface WrittenPage {
    readonly html: string;
    readonly sections: readonly SearchSection[];
    readonly isHidden: boolean;
    /** The feed of its updates. */
    readonly feed: string | undefined;
}

/** Text that Markdown leaves as it is: most descriptions in a document. */
const plainText = /^[\p{L}\p{N} ,.;:'()/-]+$/u;

/** The number of warnings that are kept with a cached page. */
const mostWarningsOfAPage = 200;

/** Turns pages into files: renders the body, or takes it from the cache, and puts the page around it. */
export class PageWriter {
    readonly siteName: string;
    reusedCount = 0;
    hasDiagrams = false;
    readonly searchScopes: SearchScopes;
    readonly #options: PageWriterOptions;
    readonly #sidebar: Sidebar;
    readonly #switchers: SwitcherWriter;
    readonly #places: Places;
    readonly #modules: ModuleLoader;
    readonly #icons: IconSettings;
    readonly #shownIcons = new Map<string, string>();
    /** Files that links lead to. */
    readonly linkedAssets = new Set<string>();
    readonly #frameAssets = new Set<string>();
    readonly #pageTargets: LinkTargets;
    readonly #frameTargets: LinkTargets;
    #part = new PartRecorder();

    constructor(options: PageWriterOptions) {
        this.#options = options;
        const { navigation, pages, settings, targets, content } = options.plan;
        this.siteName = settings.name ?? targets.domain;
        const onAsset = (use: (file: string) => void) => (file: string) => {
            this.linkedAssets.add(file);
            use(file);
        };
        this.#pageTargets = { ...targets, onAsset: onAsset((file) => this.#part.linkedAssets.add(file)) };
        this.#frameTargets = { ...targets, onAsset: onAsset((file) => this.#frameAssets.add(file)) };
        this.#icons = { library: settings.iconLibrary ?? "fontawesome" };
        this.#modules = new ModuleLoader(content);
        this.#places = new Places(navigation);
        const routes = pages.map(({ route }) => route);
        this.searchScopes = new SearchScopes(this.#places, routes);
        const shared = {
            places: this.#places,
            link: (href: string, route: string) => this.#settingHref(href, route),
            icon: (name: string, route: string) => this.#navIcon(name, route),
        };
        const labels = new Map(pages.map((page) => [page.route, labelOf(page)]));
        this.#sidebar = new Sidebar({ ...shared, labels });
        this.#switchers = new SwitcherWriter({ ...shared, globalLinks: navigation.links, domain: targets.domain });
    }

    /** What is found from here on belongs to a new part of the site. */
    startPart(): void {
        this.#part = new PartRecorder();
    }

    /** What writing the current part has found; undefined when it is too much to keep. */
    partFacts(search: readonly GroupTerms[]): PartFacts | undefined {
        return this.#part.facts(this.#frameAssets, search);
    }

    /** Whether what a part's pages import is as it was. */
    isCurrent({ imports }: PartFacts): boolean {
        return imports.every(([file, digest]) => this.#modules.digestOf(file) === digest);
    }

    /** Records the findings of a part that was taken over, as if its pages had been written. */
    takeOver(pages: readonly SitePage[], facts: PartFacts): void {
        const { cache, warnings } = this.#options;
        pages.forEach(({ cacheKey }) => cache.keep(cacheKey));
        facts.warnings.forEach((warning) => warnings.add(warning));
        facts.linkedAssets.forEach((file) => this.linkedAssets.add(file));
        this.reusedCount += pages.length;
        this.hasDiagrams ||= facts.hasDiagram;
    }

    write(page: SitePage, index: number): WrittenPage {
        const { plan, theme, version } = this.#options;
        const { settings, pages, targets } = plan;
        const body = this.#body(page);
        this.hasDiagrams ||= body.hasDiagram;
        this.#part.hasDiagram ||= body.hasDiagram;
        const { route } = page;
        const asset = (href: string) => this.#settingHref(href, route);
        const links = (items: readonly NavbarLink[]) => items.map(({ label, href }) => ({ label, href: asset(href) }));
        const isHidden = !this.#places.isListed(route);
        const url = canonicalUrl(targets.domain, route);
        const { description } = page.meta;
        const feed =
            page.meta.rss === true ? writeFeed({ title: page.title, description, url, html: body.html }) : undefined;
        const html = writePage(
            {
                route,
                siteName: this.siteName,
                title: page.title,
                description: page.meta.description ?? (route === homeRoute ? settings.description : undefined),
                canonicalUrl: url,
                feedHref: feed === undefined ? undefined : relativeHref(route, feedFileOf(route)),
                imageUrl: this.#imageUrl(page),
                noindex: page.meta.noindex === true || isHidden,
                group: this.#sidebar.groupOf(route),
                bodyHtml: body.html,
                hasTitle: body.hasTitle,
                toc: body.toc,
                switchers: this.#switchers.write(route),
                sidebarHtml: this.#sidebar.links(route),
                homeHref: relativeHref(route, htmlFileOf(homeRoute)),
                logo: settings.logo && { light: asset(settings.logo.light), dark: asset(settings.logo.dark) },
                favicon: settings.favicon === undefined ? undefined : asset(settings.favicon),
                colors: settings.colors ?? {},
                navbarLinks: links(settings.navbarLinks),
                footerLinks: (settings.footerLinks ?? []).map(({ title, items }) => ({ title, items: links(items) })),
                socials: links(settings.socials ?? []),
                bannerHtml: this.#banner(route),
                appearance: settings.appearance,
                hasDiagram: body.hasDiagram,
                hasTryIt: plan.features.tryIt && page.operation?.isWebhook === false,
                searchScope: plan.features.search ? this.searchScopes.numberOf(route) : undefined,
                mode: page.meta.mode,
                markdownHref: page.hasSource ? relativeHref(route, markdownFileOf(route)) : undefined,
                previous: isHidden ? undefined : this.#pageLink(pages[index - 1], route),
                next: isHidden ? undefined : this.#pageLink(pages[index + 1], route),
                version,
            },
            theme,
        );
        return { html, sections: body.sections, isHidden, feed };
    }

    #body(page: SitePage): RenderedBody {
        const { cache } = this.#options;
        const targets = this.#pageTargets;
        for (const { line, reason } of page.problems) {
            this.#warn({ kind: "syntax", file: page.file, line, reason });
        }
        const cached = cache.get(page.cacheKey);
        const resolved = cached?.links.map(({ href }) => resolveLink(href, page, targets));
        if (
            cached?.links.every((link, at) => link.resolved === resolved?.[at]?.href) === true &&
            cached.imports.every(([file, digest]) => this.#modules.digestOf(file) === digest)
        ) {
            cached.warnings.forEach((warning) => this.#warn(warning));
            cached.links.forEach(({ line, file = page.file }, at) =>
                this.#warnOfLink(resolved?.[at]?.problem, { file, line }),
            );
            this.reusedCount += 1;
            this.#part.imports(cached.imports);
            cache.keep(page.cacheKey);
            return cached.body;
        }
        const links: SeenLink[] = [];
        const warnings: SiteWarning[] = [];
        const host: RenderHost = {
            modules: this.#modules,
            icons: this.#icons,
            link: (href, { file, line }) => {
                const { href: resolved, problem } = resolveLink(href, page, targets);
                const place = line ?? lineOfText(page.source, href);
                links.push({
                    href,
                    resolved,
                    ...(file !== page.file && { file }),
                    ...(place !== undefined && { line: place }),
                });
                this.#warnOfLink(problem, { file, line: place });
                return resolved;
            },
            warn: (kind, { file, line }, reason) => {
                const warning: SiteWarning = { kind, file, line, reason };
                if (warnings.length < mostWarningsOfAPage) {
                    warnings.push(warning);
                }
                this.#warn(warning);
            },
        };
        const { body, files } = this.#render(page, host);
        const imports = files.map((file) => [file, this.#modules.digestOf(file)] as const);
        this.#part.imports(imports);
        cache.keep(page.cacheKey, { body, links, warnings, imports });
        return body;
    }

    #render(page: SitePage, host: RenderHost): { body: RenderedBody; files: readonly string[] } {
        const rendered = renderPage(page.file, page.source, page.meta.values ?? {}, host);
        if (page.operation === undefined) {
            return rendered;
        }
        const { file } = page.operation;
        const body = renderOperation(page.operation, rendered.body, {
            markdown: (text) =>
                plainText.test(text) ? `<p>${escapeHtml(text)}</p>` : renderPage(file, text, {}, host).body.html,
            code: (code, language, meta) => writeCode(code, language, meta, { icon: () => "" }),
            tryIt: this.#options.plan.features.tryIt,
        });
        return { body, files: rendered.files };
    }

    #warn(warning: SiteWarning): void {
        this.#part.warn(warning);
        this.#options.warnings.add(warning);
    }

    #warnOfLink(problem: string | undefined, place: Place): void {
        if (problem !== undefined) {
            this.#warn({ kind: "link", ...place, reason: problem });
        }
    }

    /** Links of `docs.json` are written from the site's folder. */
    #settingHref(href: string, route: string): string {
        const fromRoot = { file: homeRoute, route };
        return resolveLink(href, fromRoot, this.#frameTargets).href;
    }

    /** Pictures for previews are fetched by others, so their addresses are whole. */
    #imageUrl({ meta, route }: SitePage): string | undefined {
        const image = meta.image ?? this.#options.plan.settings.image;
        const href = image === undefined ? undefined : this.#settingHref(image, route);
        return href === undefined
            ? undefined
            : new URL(href, canonicalUrl(this.#options.plan.targets.domain, htmlFileOf(route))).href;
    }

    #navIcon(name: string, route: string): string {
        const known = this.#shownIcons.get(name);
        if (known !== undefined) {
            return known;
        }
        const html = iconHtml(name, undefined, this.#icons, (src) => this.#settingHref(src, route));
        if (html === undefined) {
            const reason = `there is no icon "${name.slice(0, 60)}" in the sets that the export brings along`;
            this.#warn({ kind: "icon", file: "docs.json", line: undefined, reason });
        }
        // A picture's address differs from page to page.
        if (html?.startsWith("<img") !== true) {
            this.#shownIcons.set(name, html ?? "");
        }
        return html ?? "";
    }

    #banner(route: string): string {
        const { banner } = this.#options.plan.settings;
        if (banner === undefined) {
            return "";
        }
        const host: RenderHost = {
            modules: this.#modules,
            icons: this.#icons,
            link: (href) => this.#settingHref(href, route),
            warn: () => undefined,
        };
        const { body } = renderPage("docs.json", banner.content, {}, host);
        const close = banner.dismissible ? '<button type="button" aria-label="Close" hidden>×</button>' : "";
        return `<div class="banner" role="region" aria-label="Announcement">${body.html}${close}</div>\n`;
    }

    #pageLink(page: SitePage | undefined, fromRoute: string): PageLink | undefined {
        return page && this.#places.areTogether(page.route, fromRoute)
            ? { href: relativeHref(fromRoute, htmlFileOf(page.route)), title: page.label }
            : undefined;
    }
}

function labelOf({ label, meta, operation }: SitePage): PageLabel {
    return {
        title: label,
        icon: meta.icon,
        tag: meta.tag,
        method: operation?.method ?? /^\s*([a-z]+)\s/i.exec(meta.api ?? "")?.[1]?.toLowerCase(),
        isDeprecated: meta.deprecated === true || operation?.isDeprecated === true,
        url: meta.url,
    };
}

/** Raw HTML keeps no positions, so a link's line is where its address stands first. */
function lineOfText(source: string, text: string): number | undefined {
    const at = source.indexOf(text);
    return at === -1 ? undefined : source.slice(0, at).split("\n").length;
}
