import { type CachedPage, type PageCache } from "../plan/page-cache.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type IconSettings } from "../icons/icon.js";
import { readAnchors, type PageAnchors } from "../links/anchor-check.js";
import { resolveLink } from "../links/link-resolver.js";
import { type RenderedBody } from "../page/render-host.js";
import { renderPage } from "../page/render-page.js";
import { withEngine } from "../script/engine.js";
import { ModuleFiles } from "../modules/module-files.js";
import { type SiteWarning } from "../problems/warnings.js";
import { linkWarnings, renderBody, type BodyContext } from "./render-body.js";

export interface PageBodiesOptions {
    readonly plan: SitePlan;
    readonly cache: PageCache | undefined;
    readonly icons: IconSettings;
    readonly warn: (warning: SiteWarning) => void;
    /** Called with each file of the site that a page links to. */
    readonly onAsset: (file: string) => void;
    /** Called with each file that a page imports. */
    readonly onImport: (file: string) => void;
    /** Called with the parts of each page, and its links to such parts. */
    readonly onAnchors: (anchors: PageAnchors) => void;
}

/** Pages' bodies: rendered, or taken from the cache while all that they are made of is the same. */
export class PageBodies {
    /** How many bodies came from the cache. */
    reusedCount = 0;
    readonly #context: BodyContext;

    constructor(private readonly options: PageBodiesOptions) {
        const { plan, icons } = options;
        const { targets, features, settings, content } = plan;
        const modules = new ModuleFiles(content);
        this.#context = { modules, icons, targets, features, apiDisplay: settings.apiDisplay ?? {} };
    }

    async of(page: SitePage): Promise<RenderedBody> {
        const { warn, onAnchors, onImport } = this.options;
        for (const { line, reason } of page.problems) {
            warn({ kind: "syntax", file: page.file, line, reason });
        }
        const { body, links, imports } = this.#cached(page) ?? (await this.#rendered(page));
        onAnchors(readAnchors(page, body.html + (body.beside?.html ?? ""), links));
        imports.forEach(([file]) => onImport(file));
        return body;
    }

    /** Text of the settings as HTML. @param link resolves a link of the text @throws EngineNotLoadedError */
    fragment(file: string, text: string, link: (href: string) => string): string {
        const { modules, icons } = this.#context;
        return renderPage(file, text, {}, { modules, icons, link, warn: () => undefined }).body.html;
    }

    #cached(page: SitePage): CachedPage | undefined {
        const { cache, plan, warn, onAsset } = this.options;
        const cached = cache?.get(page.cacheKey);
        if (cached === undefined) {
            return undefined;
        }
        const { links, imports, warnings } = cached;
        const targets = { ...plan.targets, onAsset };
        const resolved = links.map(({ href }) => resolveLink(href, page, targets));
        const { modules } = this.#context;
        const isCurrent =
            links.every((link, at) => link.resolved === resolved[at]?.href) &&
            imports.every(([file, digest]) => modules.digestOf(file) === digest);
        if (!isCurrent) {
            return undefined;
        }
        warnings.forEach(warn);
        links.forEach(({ line, file = page.file }, at) =>
            linkWarnings(resolved[at]?.problem, { file, line }).forEach(warn),
        );
        this.reusedCount += 1;
        cache?.keep(page.cacheKey);
        return cached;
    }

    async #rendered(page: SitePage): Promise<CachedPage> {
        const { cache, warn, onAsset } = this.options;
        const { kept, warnings, linkedAssets } = await withEngine(() => renderBody(page, this.#context));
        warnings.forEach(warn);
        linkedAssets.forEach(onAsset);
        cache?.keep(page.cacheKey, kept);
        return kept;
    }
}
