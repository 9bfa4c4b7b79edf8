import { resolveLink } from "./link-resolver.js";
import { type PageCache, type SeenLink } from "./page-cache.js";
import { type RenderedBody } from "./page-renderer.js";
import { writePage, type PageLink } from "./page-template.js";
import { renderPage } from "./render-page.js";
import { canonicalUrl, homeRoute, htmlFileOf, relativeHref } from "./routes.js";
import { type SearchSection } from "./search-text.js";
import { Sidebar } from "./sidebar.js";
import { type SiteWarning } from "./site-error.js";
import { type SitePage } from "./site-pages.js";
import { type SitePlan } from "./site-plan.js";
import { type ThemeFiles } from "./theme-files.js";

export interface PageWriterOptions {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    readonly cache: PageCache;
    readonly version: string | undefined;
}

/** Turns pages into files: renders the body, or takes it from the cache, and puts the page around it. */
export class PageWriter {
    readonly siteName: string;
    readonly warnings: SiteWarning[] = [];
    reusedCount = 0;
    private readonly sidebar: Sidebar;

    constructor(private readonly options: PageWriterOptions) {
        const { navigation, pages, settings, targets } = options.plan;
        this.siteName = settings.name ?? targets.domain;
        const labels = new Map(pages.map((page) => [page.route, page.label]));
        this.sidebar = new Sidebar(navigation, labels, (href, route) => this.settingHref(href, route));
    }

    write(page: SitePage, index: number): { html: string; sections: readonly SearchSection[] } {
        const { plan, theme, version } = this.options;
        const { settings, pages, targets } = plan;
        const body = this.body(page);
        const { route } = page;
        const asset = (href: string) => this.settingHref(href, route);
        const html = writePage(
            {
                route,
                siteName: this.siteName,
                title: page.title,
                description: page.meta.description ?? (route === homeRoute ? settings.description : undefined),
                canonicalUrl: canonicalUrl(targets.domain, route),
                noindex: page.meta.noindex === true,
                group: this.sidebar.groupOf(route),
                bodyHtml: body.html,
                hasTitle: body.hasTitle,
                toc: body.toc,
                tabsHtml: this.sidebar.tabs(route),
                sidebarHtml: this.sidebar.links(route),
                homeHref: relativeHref(route, htmlFileOf(homeRoute)),
                logo: settings.logo && { light: asset(settings.logo.light), dark: asset(settings.logo.dark) },
                favicon: settings.favicon === undefined ? undefined : asset(settings.favicon),
                colors: settings.colors ?? {},
                navbarLinks: settings.navbarLinks.map(({ label, href }) => ({ label, href: asset(href) })),
                previous: this.pageLink(pages[index - 1], route),
                next: this.pageLink(pages[index + 1], route),
                version,
            },
            theme,
        );
        return { html, sections: body.sections };
    }

    private body(page: SitePage): RenderedBody {
        const { cache, plan } = this.options;
        const { targets } = plan;
        const { cached } = page;
        if (cached?.links.every((link) => resolveLink(link.href, page, targets).href === link.resolved) === true) {
            for (const { href, line } of cached.links) this.warn(page, href, line);
            this.reusedCount += 1;
            cache.keep(page.cacheKey);
            return cached.body;
        }
        const links: SeenLink[] = [];
        const body = renderPage(page.file, page.source, (href, line) => {
            const resolved = resolveLink(href, page, targets).href;
            links.push({ href, resolved, ...(line !== undefined && { line }) });
            this.warn(page, href, line);
            return resolved;
        });
        cache.keep(page.cacheKey, { meta: page.meta, title: page.title, body, links });
        return body;
    }

    private warn(page: SitePage, href: string, line: number | undefined): void {
        const { problem } = resolveLink(href, page, this.options.plan.targets);
        if (problem !== undefined) this.warnings.push({ file: page.file, line, reason: problem });
    }

    /** Links of `docs.json` are written from the site's folder. */
    private settingHref(href: string, route: string): string {
        const fromRoot = { file: homeRoute, route };
        return resolveLink(href, fromRoot, this.options.plan.targets).href;
    }

    private pageLink(page: SitePage | undefined, fromRoute: string): PageLink | undefined {
        return page && { href: relativeHref(fromRoute, htmlFileOf(page.route)), title: page.label };
    }
}
