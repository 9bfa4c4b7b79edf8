import { decodeUri } from "@pulumi-static-export/contract";
import { PageBodies, hasTryIt } from "../../render/body/page-bodies.js";
import { PictureSizes, type PictureSize } from "../../read/files/picture-sizes.js";
import { canonicalUrl, feedFileOf, homeRoute, relativeHref, htmlFileOf } from "../../read/files/routes.js";
import { updateMark, writeFeed } from "../generated/feed.js";
import { withLinkAddresses } from "../agents/link-addresses.js";
import { markdownForAgents, textOfBody } from "../agents/page-markdown.js";
import { fromRoot, leadingHome, notFoundPage, notFoundRoute } from "../generated/not-found-page.js";
import { writePage } from "../../render/layout/page-template.js";
import { UtilityClasses } from "../../render/layout/utility-classes.js";
import { type ThemeFiles } from "../../render/layout/theme-files.js";
import { bodyOf } from "../../read/front-matter/front-matter.js";
import { type AnchorCheck, joinAnchors, type PageAnchors } from "../../plan/links/anchor-check.js";
import { emptyBody, type RenderedBody } from "../../html/rendered-body.js";
import { type PageCache } from "../../render/body/page-cache.js";
import { operationOf, type SitePage } from "../../plan/site-page.js";
import { baseUrlOf } from "../../api/openapi/operation-request.js";
import { hostOf, hostsLoadedBy } from "../../html/loaded-hosts.js";
import { siteNameOf, type SitePlan } from "../../plan/site-plan.js";
import { type FoundWarning, type WarningLog } from "../../problems/warning-log.js";
import { escapeHtml } from "../../text/html-text.js";
import { type SearchSection } from "../../text/search-text.js";
import { inWordsOf } from "../../words/words.js";
import { MaskedIcons, maxIconBytes } from "./masked-icons.js";
import { joinEffects, type PageEffects } from "./page-effects.js";
import { SiteFrame } from "./site-frame.js";
import { type WrittenFile } from "../search/site-search.js";
import { posix } from "node:path";

export interface PageWriterOptions {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    /** The cache of pages; undefined for an export without a cache. */
    readonly cache: PageCache | undefined;
    readonly warnings: Pick<WarningLog, "add"> & {
        /** The warnings before the first page is written, with their files. */
        readonly kept: readonly { readonly file: string }[];
    };
    /** Checks the links to parts of all pages in the export. */
    readonly anchors: AnchorCheck;
}

interface WrittenPage {
    readonly html: string;
    /** The page for programs. */
    readonly markdown: string;
    /** The body for programs. */
    readonly text: string;
    readonly sections: readonly SearchSection[];
    /** The page's own description, without markup. */
    readonly description: string | undefined;
    readonly isSearched: boolean;
    /** The feed of the page's updates. */
    readonly feed: string | undefined;
}

/** Writes pages as files: adds the site's frame around each body. */
export class PageWriter {
    hasDiagrams = false;
    readonly utilityClasses: UtilityClasses;
    readonly frame: SiteFrame;
    /** Files that links refer to. */
    readonly linkedAssets = new Set<string>();
    readonly importedFiles = new Set<string>();
    /** Whether any page contains a request form. */
    hasTryIt = false;
    /** The hosts to which request forms send requests. */
    readonly apiServers = new Set<string>();
    /** Hosts outside of the site from which pages load files. */
    readonly embeds = new Set<string>();
    readonly #bodies: PageBodies;
    readonly #pictures: PictureSizes;
    readonly #icons: MaskedIcons;
    #recorded: { readonly effects: Partial<PageEffects>[]; readonly anchors: PageAnchors[] } | undefined;
    /** The files that the warnings of the current page name. */
    readonly #warnedFiles = new Set<string>();

    /** @throws EngineNotLoadedError */
    constructor(private readonly options: PageWriterOptions) {
        const { plan, theme } = options;
        this.utilityClasses = new UtilityClasses(theme.contents.get(theme.styles) ?? "");
        this.#pictures = new PictureSizes(plan.content);
        this.#icons = new MaskedIcons((file) => {
            const isPublished = plan.targets.assets.has(file) && !plan.targets.forNobody.has(file);
            return isPublished && plan.content.bytesOf(file) <= maxIconBytes ? plan.content.readText(file) : undefined;
        });
        const shared = {
            ...options,
            warn: (warning: FoundWarning) => this.#apply({ warnings: [warning] }),
            onAsset: (file: string) => this.#apply({ linkedAssets: [file] }),
        };
        this.#bodies = new PageBodies({
            ...shared,
            onImport: (file, digest) => this.#apply({ imports: [[file, digest]] }),
            anchors: {
                add: (anchors) => {
                    this.options.anchors.add(anchors);
                    this.#recorded?.anchors.push(anchors);
                },
            },
        });
        this.frame = new SiteFrame({ ...shared, bodies: this.#bodies });
    }

    /** The number of pages that were not rendered. */
    get reusedCount(): number {
        return this.#bodies.reusedCount;
    }

    /** @returns the result of `write`, and the effects and anchors of the pages that it writes */
    async recordEffects<T>(write: () => Promise<T>): Promise<readonly [T, PageEffects, PageAnchors]> {
        const recorded = { effects: [], anchors: [] };
        this.#recorded = recorded;
        try {
            return [await write(), joinEffects(recorded.effects), joinAnchors(recorded.anchors)];
        } finally {
            this.#recorded = undefined;
        }
    }

    /**
     * Adds unchanged pages with their recorded effects.
     * @returns false if a file that these pages import has changed
     */
    reuse(pages: readonly SitePage[], effects: PageEffects, anchors: PageAnchors): boolean {
        if (!effects.imports.every(([file, digest]) => this.#bodies.isCurrent(file, digest))) {
            return false;
        }
        this.#bodies.reuse(pages);
        this.#apply(effects);
        this.options.anchors.add(anchors);
        return true;
    }

    /** Adds pages that another thread has written. */
    adopt(reusedCount: number, effects: PageEffects, anchors: PageAnchors): void {
        this.#bodies.reusedCount += reusedCount;
        this.#apply(effects);
        this.options.anchors.add(anchors);
    }

    async write(page: SitePage, index: number): Promise<WrittenPage> {
        const { plan, theme } = this.options;
        const { route, title, meta } = page;
        this.#warnedFiles.clear();
        const body = this.#withPictureSizes(await this.#bodies.of(page), route);
        this.#warnOfBlank(page, body);
        const classes = this.utilityClasses.namesIn(body.html + (body.beside?.html ?? ""));
        const around = this.frame.around(page, index);
        const description = body.lead?.text ?? (route === homeRoute ? plan.settings.description : undefined);
        const url = canonicalUrl(plan.targets, route);
        const feed =
            meta.rss !== false && body.html.includes(updateMark)
                ? writeFeed({ title, description, url, html: inWordsOf(around.language, body.html) })
                : undefined;
        const text = withLinkAddresses(textOfBody(page, body), page, plan.targets);
        const markdown = markdownForAgents(page, text, plan);
        const view = {
            ...around,
            page,
            body,
            description,
            leadHtml: body.lead?.html ?? (description === undefined ? undefined : escapeHtml(description)),
            markdown,
            feedHref: feed === undefined ? undefined : relativeHref(route, feedFileOf(route)),
            hasUtilities: classes.length > 0,
            hasTryIt: this.#hasTryIt(page),
        };
        const isSearched = around.isIndexed && meta.noindex !== true && meta.searchable !== false;
        const { sections, lead } = body;
        const html = this.#icons.in(writePage(view, theme), route);
        this.#apply({ classes, embeds: hostsLoadedBy(html), hasDiagrams: body.hasDiagram });
        return { html, markdown, text, sections, description: lead?.text, isSearched, feed };
    }

    /** Writes the omitted parts of lists, as files for scripts and as pages. */
    *listFiles(): Generator<WrittenFile> {
        const { theme } = this.options;
        const { lists } = this.frame;
        yield* lists.files();
        for (const { html, ...list } of lists.pages()) {
            const view = {
                ...this.frame.around(list.page, 0),
                ...list,
                ...withoutSource,
                body: { ...emptyBody, html },
            };
            yield [htmlFileOf(list.page.route), this.#icons.in(writePage(view, theme), list.page.route)];
        }
    }

    #hasTryIt(page: SitePage): boolean {
        const hasForm = hasTryIt(this.options.plan.features, page);
        const operation = operationOf(page);
        if (hasForm && operation !== undefined) {
            const host = hostOf(baseUrlOf(operation));
            this.#apply({ hasTryIt: true, apiServers: host === undefined ? [] : [host] });
        }
        return hasForm;
    }

    /** Warns if a page's source has content but its body shows nothing, because readers would see an empty page. */
    #warnOfBlank(page: SitePage, body: RenderedBody): void {
        const isBlank = page.hasSource && bareWrappers.test(body.html) && bodyOf(page.source).trim() !== "";
        const { file } = page;
        if (!isBlank) {
            return;
        }
        // Checks the file names as well as the stored warnings, because the log stores a limited number of warnings,
        // and may lack some of the page's.
        const isExplained =
            this.#warnedFiles.has(file) || this.options.warnings.kept.some((each) => each.file === file);
        if (!isExplained && body.beside === undefined) {
            this.#apply({ warnings: [{ kind: "component", file, line: undefined, reason: blankPage }] });
        }
    }

    /**
     * The page for unknown addresses. The links on this page begin at the domain's root, because servers show the page
     * at any depth.
     * @throws EngineNotLoadedError
     */
    notFoundPage(): string {
        const { plan, theme } = this.options;
        const { title, description, redirect: leadsHome = false } = plan.settings.notFound ?? {};
        const link = (href: string) => this.frame.href(href, notFoundRoute);
        const own = description === undefined ? undefined : this.#bodies.fragment(description, link);
        const { page, body } = notFoundPage(siteNameOf(plan), { title, html: own });
        const view = { ...this.frame.around(page, 0), ...withoutSource, page, body };
        const html = fromRoot(this.#icons.in(writePage(view, theme), notFoundRoute), plan.targets);
        return leadsHome ? leadingHome(html, plan.targets) : html;
    }

    #apply(effects: Partial<PageEffects>): void {
        const { warnings, linkedAssets, imports, classes, ...rest } = effects;
        warnings?.forEach((warning) => {
            this.options.warnings.add(warning);
            if ("file" in warning) {
                this.#warnedFiles.add(warning.file);
            }
        });
        linkedAssets?.forEach((file) => this.linkedAssets.add(file));
        imports?.forEach(([file]) => this.importedFiles.add(file));
        this.utilityClasses.add(classes ?? []);
        rest.apiServers?.forEach((host) => this.apiServers.add(host));
        rest.embeds?.forEach((host) => this.embeds.add(host));
        this.hasDiagrams ||= rest.hasDiagrams ?? false;
        this.hasTryIt ||= rest.hasTryIt ?? false;
        this.#recorded?.effects.push(effects);
    }

    #withPictureSizes(body: RenderedBody, route: string): RenderedBody {
        const sized = (html: string) => withPictureSizes(html, route, (file) => this.#pictures.of(file));
        const { html, beside } = body;
        // Adds sizes only after the title, because `at` is the title's length and must not change.
        const at = beside?.at ?? 0;
        return {
            ...body,
            html: html.slice(0, at) + sized(html.slice(at)),
            beside: beside && { html: sized(beside.html), at },
        };
    }
}

/** The parts of a view that pages without a source file do not have. */
const withoutSource = {
    description: undefined,
    leadHtml: undefined,
    feedHref: undefined,
    markdown: undefined,
    hasUtilities: false,
    hasTryIt: false,
};

const bareWrappers = /^(?:<\/?(?:div|p|span|section)>|\s)*$/;

const blankPage =
    "the page is blank, because nothing in its source is visible: remove the page, or the part that hides it";

const pictureTag = /<img( [^<>]*)>/g;
/** Matches Tailwind classes and styles that give a picture its own size. */
const sizeName = / class="(?:[^"]*[\s:])?(?:w|h|size|max-h|min-h|min-w|aspect)-/;
const sizeStyle = / style="[^"]*(?:width|height|aspect-ratio)/;

/**
 * Sets the sizes of pictures from their files, so that the layout does not move when they load. An author's size takes
 * precedence; a width gets the matching height.
 * @param route of the page, to which its addresses are relative
 * @param sizeOf the size of a file of the site
 */
export function withPictureSizes(
    html: string,
    route: string,
    sizeOf: (file: string) => PictureSize | undefined,
): string {
    const folder = posix.dirname(htmlFileOf(route));
    return html.replace(pictureTag, (tag, attributes: string) => {
        const [, src] = / src="([^":?#]+)/.exec(attributes) ?? [];
        if (src === undefined || / height="/.test(attributes) || sizeName.test(tag) || sizeStyle.test(tag)) {
            return tag;
        }
        const [, width, given] = / width="(?:(\d+)(?:px)?|([^"]*))"/.exec(attributes) ?? [];
        const size =
            given === undefined ? sizeOf(posix.join(folder, decodeUri(src.replaceAll("&amp;", "&")))) : undefined;
        if (size === undefined) {
            return tag;
        }
        return width === undefined
            ? `<img${attributes} width="${size.width}" height="${size.height}">`
            : `<img${attributes} height="${Math.round((Number(width) * size.height) / size.width)}">`;
    });
}
