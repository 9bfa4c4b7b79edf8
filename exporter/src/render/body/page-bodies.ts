import { type CachedPage, type PageCache } from "./page-cache.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { type AnchorCheck } from "../../plan/links/anchor-check.js";
import { resolveLink, type SeenLink } from "../../plan/links/link-resolver.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { renderPage } from "../page/render-page.js";
import { withEngine } from "../script/engine.js";
import { ModuleFiles } from "../modules/module-files.js";
import { type SiteWarning } from "../../problems/warnings.js";
import { renderBody } from "./render-body.js";

export interface PageBodiesOptions {
    readonly plan: SitePlan;
    readonly cache: PageCache | undefined;
    readonly warn: (warning: SiteWarning) => void;
    /** Called with each file of the site that a page links to. */
    readonly onAsset: (file: string) => void;
    /** Called with each file that a page imports. */
    readonly onImport: (file: string) => void;
    readonly anchors: AnchorCheck;
}

/** Pages' bodies: rendered, or taken from the cache while all that they are made of is the same. */
export class PageBodies {
    /** How many bodies came from the cache. */
    reusedCount = 0;
    readonly #plan: SitePlan;
    readonly #modules: ModuleFiles;

    constructor(private readonly options: PageBodiesOptions) {
        const { plan, onAsset } = options;
        this.#plan = { ...plan, targets: { ...plan.targets, onAsset } };
        this.#modules = new ModuleFiles(plan.content);
    }

    async of(page: SitePage): Promise<RenderedBody> {
        const { anchors, cache, warn, onImport } = this.options;
        for (const { line, reason } of page.problems) {
            warn({ kind: "syntax", file: page.file, line, reason });
        }
        const cached = this.#cached(page);
        const kept = cached ?? (await withEngine(() => renderBody(page, this.#plan, this.#modules)));
        this.reusedCount += cached === undefined ? 0 : 1;
        cache?.keep(page.cacheKey, cached === undefined ? kept : undefined);
        const { body, links, imports, warnings } = kept;
        warnings.forEach(warn);
        for (const { file = page.file, line, problem } of links) {
            if (problem !== undefined) {
                warn({ kind: "link", file, line, reason: problem });
            }
        }
        anchors.add(page, body.html + (body.beside?.html ?? ""), links);
        imports.forEach(([file]) => onImport(file));
        return body;
    }

    /** Text of the settings as HTML. @param link resolves a link of the text @throws EngineNotLoadedError */
    fragment(file: string, text: string, link: (href: string) => string): string {
        const host = {
            modules: this.#modules,
            iconLibrary: this.#plan.settings.iconLibrary,
            link,
            warn: () => undefined,
        };
        return renderPage(file, text, {}, host).body.html;
    }

    #cached(page: SitePage): CachedPage | undefined {
        const cached = this.options.cache?.get(page.cacheKey);
        const resolvesAlike = ({ href, resolved, problem }: SeenLink) => {
            const now = resolveLink(href, page, this.#plan.targets);
            return now.href === resolved && now.problem === problem;
        };
        const isCurrent =
            cached?.links.every(resolvesAlike) === true &&
            cached.imports.every(([file, digest]) => this.#modules.digestOf(file) === digest);
        return isCurrent ? cached : undefined;
    }
}
