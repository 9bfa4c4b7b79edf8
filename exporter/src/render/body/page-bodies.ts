import { type CachedPage, type PageCache } from "./page-cache.js";
import { isMadeOfModel, type SitePage, operationOf } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { anchorsOf, type AnchorCheck } from "../../plan/links/anchor-check.js";
import { resolveLink, type SeenLink } from "../../plan/links/link-resolver.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { renderPage } from "../page/page-renderer.js";
import { withEngine } from "../script/script-engine.js";
import { ModuleFiles } from "../modules/module-files.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { type ExportFeatures } from "../../read/settings/deployment.js";
import { hidesForm } from "../../read/settings/setting-values.js";
import { lineOfText } from "../../text/strings.js";
import { bodyOf } from "../../read/front-matter/front-matter.js";
import { isMdxFile } from "../../read/files/routes.js";
import { usesComponents } from "../../read/markdown/uses-components.js";
import { readFence, writeCode } from "../code/code-block.js";
import { HeadingIds } from "../../html/heading-ids.js";
import { escapeHtml } from "../../text/html-text.js";
import { renderSubject } from "../../api/page-subject.js";
import { type ApiContext, maxCharacters } from "../../api/parts/api-context.js";
import { type RenderedPage, type RenderContext } from "../page/render-context.js";

interface PageBodiesOptions {
    readonly plan: SitePlan;
    readonly cache: PageCache | undefined;
    readonly warn: (warning: SiteWarning) => void;
    /** Called with each file of the site that a page links to. */
    readonly onAsset: (file: string) => void;
    /** Called with each file that a page imports, and the digest of the file's text. */
    readonly onImport: (file: string, digest: string) => void;
    readonly anchors: Pick<AnchorCheck, "add">;
}

/** Page bodies: rendered, or taken from the cache if all of their sources are unchanged. */
export class PageBodies {
    /** The number of bodies that came from the cache. */
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
        anchors.add(anchorsOf(page, body.html + (body.beside?.html ?? ""), links));
        imports.forEach(([file, digest]) => onImport(file, digest));
        return body;
    }

    /** Counts pages as unchanged without reading them, and preserves them in the cache. */
    reuse(pages: readonly SitePage[]): void {
        pages.forEach(({ cacheKey }) => this.options.cache?.keep(cacheKey));
        this.reusedCount += pages.length;
    }

    /** Whether the text of an imported file still has this digest. */
    isCurrent(file: string, digest: string): boolean {
        return this.#modules.digestOf(file) === digest;
    }

    /** Renders text of the settings as HTML. @param link resolves a link of the text @throws EngineNotLoadedError */
    fragment(text: string, link: (href: string) => string): string {
        const context = {
            modules: this.#modules,
            iconLibrary: this.#plan.settings.iconLibrary,
            link,
            warn: () => undefined,
        };
        return renderPage(this.#plan.settingsFile, text, {}, context).body.html;
    }

    #cached(page: SitePage): CachedPage | undefined {
        const cached = this.options.cache?.get(page.cacheKey);
        const resolvesAlike = ({ href, resolved, problem }: SeenLink) => {
            const now = resolveLink(href, page, this.#plan.targets);
            return now.href === resolved && now.problem === problem;
        };
        const isCurrent =
            cached?.links.every(resolvesAlike) === true &&
            cached.imports.every(([file, digest]) => this.isCurrent(file, digest));
        return isCurrent ? cached : undefined;
    }
}

/** Matches what may be Markdown. A pattern for a whole text would need too much stack for a long one. */
const markup = /^$|[^\p{L}\p{N} ,.;:'()/-]/u;

/** The maximum number of a page's warnings, not counting warnings about links. */
const maxWarningsOfAPage = 200;

/** Whether readers may send requests from the page. */
export function hasTryIt({ tryIt }: ExportFeatures, page: SitePage): boolean {
    return tryIt && operationOf(page)?.isWebhook === false && !hidesForm.includes(page.meta.playground ?? "");
}

/** Renders a page's body. The same page in the same plan always has the same body. */
function renderBody(page: SitePage, plan: SitePlan, modules: ModuleFiles): CachedPage {
    const links: SeenLink[] = [];
    const written = new Map<string, string>();
    const warnings: SiteWarning[] = [];
    // Text from another file has that file's line numbers.
    const lineIn = (line: number | undefined) => (isMade(page) ? undefined : line);
    const context: RenderContext = {
        modules,
        iconLibrary: plan.settings.iconLibrary,
        link: (href, { file, line }) => {
            const { href: resolved, problem } = resolveLink(href, page, plan.targets);
            // Raw HTML has no positions, so the line of a link is the first line that contains the link's address.
            const place = lineIn(line ?? lineOfText(page.source, href));
            // Refused links lead to "#", like links to the page's top.
            if (resolved !== "#") {
                written.set(resolved, href);
            }
            links.push({ href, resolved, problem, ...(file !== page.file && { file }), line: place });
            return resolved;
        },
        warn: (kind, { file, line }, reason, near) => {
            const found = near === undefined ? line : lineOfText(page.source.toLowerCase(), near);
            warnings.push({ kind, file, line: lineIn(found), reason });
        },
    };
    const { body, files } = renderWithApi(page, plan, context, (href) => written.get(href) ?? href);
    const imports = files.map((file) => [file, modules.digestOf(file)] as const);
    return { body, links, warnings: warnings.slice(0, maxWarningsOfAPage), imports };
}

function renderWithApi(
    page: SitePage,
    { features, settings, targets, modelRoutes }: SitePlan,
    context: RenderContext,
    writtenLink: (href: string) => string,
): RenderedPage {
    const ids = new HeadingIds();
    const hasComponents = !page.hasSource || isMdxFile(page.file) || usesComponents(bodyOf(page.source));
    const rendered = renderPage(page.file, page.source, page.meta.values ?? {}, context, {
        description: page.meta.description,
        ids,
        pageName: page.title,
        writtenLink: hasComponents ? writtenLink : undefined,
        ...(isMade(page) && { isMdx: true }),
    });
    const { subject } = page;
    if (subject === undefined) {
        return rendered;
    }
    const api: ApiContext = {
        markdown: (text, minLevel = 3) =>
            markup.test(text)
                ? renderPage(subject.file, text, {}, context, { ids, minLevel }).body.html
                : `<p>${escapeHtml(text)}</p>`,
        display: settings.apiDisplay ?? {},
        site: targets,
        maxCharacters: isMadeOfModel(page) ? maxCharacters.ofModel : maxCharacters.ofPage,
        modelHref: (model) => {
            const route = modelRoutes.get(subject.document)?.get(model);
            const isOther = route !== undefined && route !== page.route;
            return isOther ? context.link(`/${route}`, { file: page.file, line: undefined }) : undefined;
        },
        warn: (reason) => context.warn("openapi", { file: subject.file, line: undefined }, reason),
        code: (code, language, title) => {
            const meta = title && `title="${title.replaceAll('"', "")}"${title === "cURL" ? " wrap" : ""}`;
            return writeCode(code, readFence(language, meta), { icon: () => "" });
        },
    };
    const described = renderSubject(subject, rendered.body, api, hasTryIt(features, page));
    const { markdown } = rendered.body;
    return { ...rendered, body: { ...described, ...(markdown !== undefined && { markdown }) } };
}

/** Whether the page is generated from a document, without its own file. */
function isMade({ subject, hasSource }: SitePage): boolean {
    return subject !== undefined && !hasSource;
}
