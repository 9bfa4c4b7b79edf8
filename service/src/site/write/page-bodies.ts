import { type PageCache, type SeenLink } from "../plan/page-cache.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type ExportFeatures } from "../deployment.js";
import { hidesForm } from "../read/docs-config.js";
import { lineOfText } from "../read/line-of-text.js";
import { writeCode } from "../render/code-block.js";
import { HeadingIds } from "../render/heading-ids.js";
import { escapeHtml } from "../render/html-text.js";
import { type IconSettings } from "../render/icons/icon.js";
import { resolveLink, type LinkTargets } from "../render/link-resolver.js";
import { renderModel } from "../render/openapi/model-page.js";
import { renderOperation } from "../render/openapi/operation-page.js";
import { type SchemaHost } from "../render/openapi/schema-view.js";
import { type Place, type RenderedBody, type RenderHost } from "../render/render-host.js";
import { renderPage } from "../render/render-page.js";
import { ModuleLoader } from "../render/values/module-loader.js";
import { type SiteWarning } from "../warnings.js";

export interface PageBodiesOptions {
    readonly plan: SitePlan;
    readonly cache: PageCache;
    readonly icons: IconSettings;
    readonly warn: (warning: SiteWarning) => void;
    /** Called with each file of the site that a page links to. */
    readonly onAsset: (file: string) => void;
    /** Called with the files that a page imports, and digests of their texts. */
    readonly onImports: (files: readonly (readonly [file: string, digest: string])[]) => void;
}

/** Text that Markdown leaves as it is: most descriptions in a document. */
const plainText = /^[\p{L}\p{N} ,.;:'()/-]+$/u;

/** The number of warnings that are kept with a cached page. */
const mostWarningsOfAPage = 200;

/** Whether readers may send requests from the page. */
export function hasTryIt({ tryIt }: ExportFeatures, { operation, meta }: SitePage): boolean {
    return tryIt && operation?.isWebhook === false && !hidesForm.includes(meta.playground ?? "");
}

/** Pages' bodies: rendered, or taken from the cache while all that they are made of is the same. */
export class PageBodies {
    /** How many bodies came from the cache. */
    reusedCount = 0;
    readonly #options: PageBodiesOptions;
    readonly #modules: ModuleLoader;
    readonly #targets: LinkTargets;

    constructor(options: PageBodiesOptions) {
        this.#options = options;
        this.#modules = new ModuleLoader(options.plan.content);
        this.#targets = { ...options.plan.targets, onAsset: options.onAsset };
    }

    /** Whether files that pages import are as they were. */
    areCurrent(imports: readonly (readonly [file: string, digest: string])[]): boolean {
        return imports.every(([file, digest]) => this.#modules.digestOf(file) === digest);
    }

    of(page: SitePage): RenderedBody {
        const { warn } = this.#options;
        for (const { kind = "syntax", line, reason } of page.problems) {
            warn({ kind, file: page.file, line, reason });
        }
        return this.#cached(page) ?? this.#rendered(page);
    }

    /** Text of the settings as HTML. @param link resolves a link of the text */
    fragment(file: string, text: string, link: (href: string) => string): string {
        const { icons } = this.#options;
        return renderPage(file, text, {}, { modules: this.#modules, icons, link, warn: () => undefined }).body.html;
    }

    #cached(page: SitePage): RenderedBody | undefined {
        const { cache, warn, onImports } = this.#options;
        const cached = cache.get(page.cacheKey);
        if (cached === undefined) {
            return undefined;
        }
        const { links, imports, warnings, body } = cached;
        const resolved = links.map(({ href }) => resolveLink(href, page, this.#targets));
        if (!links.every((link, at) => link.resolved === resolved[at]?.href) || !this.areCurrent(imports)) {
            return undefined;
        }
        warnings.forEach((warning) => warn(warning));
        links.forEach(({ line, file = page.file }, at) => this.#warnOfLink(resolved[at]?.problem, { file, line }));
        this.reusedCount += 1;
        onImports(imports);
        cache.keep(page.cacheKey);
        return body;
    }

    #rendered(page: SitePage): RenderedBody {
        const { cache, icons, warn, onImports } = this.#options;
        const links: SeenLink[] = [];
        const warnings: SiteWarning[] = [];
        // A text within another file has lines of its own.
        const lineIn = (line: number | undefined) =>
            page.operation !== undefined && !page.hasSource ? undefined : line;
        const host: RenderHost = {
            modules: this.#modules,
            icons,
            link: (href, { file, line }) => {
                const { href: resolved, problem } = resolveLink(href, page, this.#targets);
                // Raw HTML keeps no positions, so a link's line is where its address stands first.
                const place = lineIn(line ?? lineOfText(page.source, href));
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
                const warning: SiteWarning = { kind, file, line: lineIn(line), reason };
                if (warnings.length < mostWarningsOfAPage) {
                    warnings.push(warning);
                }
                warn(warning);
            },
        };
        const { body, files } = this.#render(page, host);
        const imports = files.map((file) => [file, this.#modules.digestOf(file)] as const);
        onImports(imports);
        cache.keep(page.cacheKey, { body, links, warnings, imports });
        return body;
    }

    #render(page: SitePage, host: RenderHost): { body: RenderedBody; files: readonly string[] } {
        const ids = new HeadingIds();
        const rendered = renderPage(page.file, page.source, page.meta.values ?? {}, host, {
            description: page.meta.description,
            part: { ids, leastLevel: 1 },
            ...(page.operation !== undefined && !page.hasSource && { isMdx: true }),
        });
        const { operation, model } = page;
        const file = operation?.file ?? model?.document.file;
        if (file === undefined) {
            return rendered;
        }
        const api: SchemaHost = {
            markdown: (text, leastLevel = 3) =>
                plainText.test(text)
                    ? `<p>${escapeHtml(text)}</p>`
                    : renderPage(file, text, {}, host, { part: { ids, leastLevel } }).body.html,
            display: this.#options.plan.settings.apiDisplay ?? {},
        };
        const described = model === undefined ? rendered.body : renderModel(model, rendered.body, api);
        const body =
            operation === undefined
                ? described
                : renderOperation(operation, rendered.body, {
                      ...api,
                      code: (code, language, meta) => writeCode(code, language, meta, { icon: () => "" }),
                      tryIt: hasTryIt(this.#options.plan.features, page),
                  });
        return { body, files: rendered.files };
    }

    #warnOfLink(problem: string | undefined, place: Place): void {
        if (problem !== undefined) {
            this.#options.warn({ kind: "link", ...place, reason: problem });
        }
    }
}
