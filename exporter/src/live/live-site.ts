import { createHash } from "node:crypto";
import { trimTrailing } from "@pulumi-static-export/contract";
import { AnchorCheck } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { planSite, type ExportPlan } from "../plan/site-plan.js";
import { findSources } from "../plan/site-sources.js";
import { type SitePage } from "../plan/site-page.js";
import { SiteError } from "../problems/site-error.js";
import { type FoundWarning, type SiteWarning, WarningLog } from "../problems/warning-log.js";
import { ownFolder } from "../read/files/published-names.js";
import { htmlFileOf, homeRoute, isPageFile, markdownFileOf } from "../read/files/routes.js";
import { diagramScript, liveScript, readTheme, rendererFingerprint } from "../render/layout/theme-files.js";
import { withEngine } from "../render/script/script-engine.js";
import { createPart, type SitePart } from "../write/pages/site-part.js";
import { changedStyles } from "../write/site-assets.js";
import { failedPage, type LiveFile, type PageState, withLiveScript } from "./live-page.js";
import { type CheckedSite, SiteCheck } from "./site-check.js";
import { changedParts, type LiveChange, shownFile } from "./site-changes.js";

interface Generation {
    readonly plan: ExportPlan;
    /** The plan's own list, in which changed pages are replaced. */
    readonly pages: SitePage[];
    readonly numbers: ReadonlyMap<string, number>;
    part: SitePart;
    /** Rendered pages, by route. */
    readonly rendered: Map<string, RenderedPage>;
}

interface RenderedPage {
    readonly html: string;
    /** The page as Markdown, for programs. */
    readonly markdown: string;
    readonly digest: string;
    readonly warnings: readonly SiteWarning[];
}

/**
 * The maximum number of rendered pages in memory. Authors view fewer pages between two changes, but a program may
 * request all pages of a site.
 */
const maxRendered = 100;

const ignore = () => undefined;
const nothing = () => Promise.resolve();

/**
 * A site whose pages are rendered when they are requested. Shows all pages, including pages for certain readers,
 * because only the site's author sees them.
 */
export class LiveSite {
    #generation: Generation | undefined;
    /** Why the current site cannot be planned; the last plan is shown nevertheless. */
    #problem: SiteError | undefined;
    /** Warnings of the page that is being rendered. */
    #log = new WarningLog();
    /** Pages are rendered one after the other, so that each page gets only its own warnings. */
    #queue: Promise<unknown> = Promise.resolve();
    readonly #work: PageWork;
    readonly #check: SiteCheck;

    /** @param onPage called with each page before the site processes it, and with undefined afterwards */
    constructor(
        private readonly sourceDir: string,
        workDir: string,
        onPage: PageWork["onPage"],
    ) {
        this.#work = { fingerprint: rendererFingerprint(), yieldToEventLoop: nothing, onPage };
        this.#check = new SiteCheck(workDir, this.#work);
    }

    /** Plans the site, and plans it again after any change except to the text of pages. */
    async plan(): Promise<void> {
        try {
            const options = {
                sourceDir: this.sourceDir,
                domain: "localhost",
                privatePages: "publish",
                showsDrafts: true,
            } as const;
            const sources = await findSources(options, this.#work);
            if (sources.isFinished) {
                const reason = "this is finished HTML, which `static-export build` exports as it is: edit its sources";
                throw new SiteError(".", undefined, reason);
            }
            const planned = await planSite(options, this.#work, sources);
            const pages = [...planned.site.pages];
            const plan: ExportPlan = { ...planned, site: { ...planned.site, pages } };
            this.#generation = {
                plan,
                pages,
                numbers: new Map(pages.map(({ route }, number) => [route, number])),
                part: await this.#createPart(plan),
                rendered: new Map(),
            };
            this.#problem = undefined;
        } catch (error) {
            this.#problem = siteErrorOf(error);
        }
    }

    /** The number of pages; 0 while the site cannot be planned. */
    get pageCount(): number {
        return this.#problem === undefined ? (this.#generation?.pages.length ?? 0) : 0;
    }

    get problem(): string | undefined {
        return this.#problem?.message;
    }

    /** @param paths real paths of files that were written, created or removed; undefined if any may have changed */
    async change(paths: readonly string[] | undefined): Promise<LiveChange> {
        const generation = this.#generation;
        // After a failed plan, any change may have solved the problem, such as the removal of an unreadable folder.
        const isComparable = paths !== undefined && this.#problem === undefined;
        const changed = generation && isComparable ? changedParts(generation.plan, paths) : undefined;
        if (changed?.length === 0) {
            return { kind: "nothing", pages: [] };
        }
        const isOnAll = paths?.some((path) => shownFile.test(path)) ?? true;
        if (generation === undefined || changed === undefined) {
            await this.plan();
            return { kind: "site", isOnAll, pages: [] };
        }
        const pages = changed.filter((page) => page !== "shown");
        for (const page of pages) {
            generation.pages[generation.numbers.get(page.route) as number] = page;
        }
        const { plan, part, rendered } = generation;
        const isImported = pages.some(({ file }) => part.writer.importedFiles.has(file));
        if (isImported || changed.length > pages.length) {
            generation.part = await this.#createPart(plan);
            rendered.clear();
        }
        pages.forEach(({ route }) => rendered.delete(route));
        const again = [];
        for (const page of pages) {
            again.push({ file: page.file, warnings: (await this.#render(generation, page.route)).warnings });
        }
        return { kind: "pages", isOnAll, pages: again };
    }

    /** The response to a request. @param path decoded, without a leading slash */
    async file(path: string): Promise<LiveFile> {
        const generation = this.#generation;
        if (path === `${ownFolder}/live.js`) {
            return { kind: "text", text: await liveScript() };
        }
        if (generation === undefined) {
            return failedPage(path, this.problem);
        }
        const route = routeOf(path);
        const { site } = generation.plan;
        const page = generation.pages[generation.numbers.get(route) ?? -1];
        if (page !== undefined) {
            const { html, markdown } = await this.#render(generation, route);
            if (!path.endsWith(".md")) {
                return { kind: "page", status: 200, html: withLiveScript(html, page.file, await this.state(path)) };
            }
            if (path === markdownFileOf(route)) {
                return { kind: "text", text: markdown };
            }
        }
        const place = site.targets.assets.has(path) ? site.content.realPathOf(path) : undefined;
        if (place !== undefined) {
            const text = site.styles.includes(path) ? changedStyles(site, ignore, ignore).get(path) : undefined;
            return text === undefined ? { kind: "file", path: place } : { kind: "text", text };
        }
        const own = await themeText(generation.part, path);
        if (own !== undefined) {
            return { kind: "text", text: own };
        }
        const home = `/${htmlFileOf(generation.pages[0]?.route ?? homeRoute)}`;
        const to = site.targets.redirects.find(path) ?? (route === homeRoute ? home : undefined);
        if (to !== undefined) {
            return { kind: "redirect", to };
        }
        const generated = await this.#check.fileAt(path);
        return generated === undefined ? failedPage(path, this.problem) : { kind: "file", path: generated };
    }

    /** The current page at an address, as browsers show the page. */
    async state(path: string): Promise<PageState> {
        const generation = this.#generation;
        const route = routeOf(path);
        if (generation?.numbers.has(route) !== true) {
            return { digest: "", warnings: [], problem: this.problem };
        }
        const { digest, warnings } = await this.#render(generation, route);
        const file = generation.pages[generation.numbers.get(route) as number]?.file ?? "";
        const ofPlan = generation.plan.problems.flatMap((problem) =>
            "file" in problem && problem.file === file ? [problem] : [],
        );
        const all = [...ofPlan, ...warnings, ...this.#check.missingParts(file)];
        return { digest, warnings: all, problem: this.problem };
    }

    /** The real path of a file of the site. */
    placeOf(file: string): string | undefined {
        return this.#generation?.plan.site.content.realPathOf(file);
    }

    /**
     * Renders every page, and writes the files that depend on all pages.
     * @returns undefined if the check was aborted
     */
    async check(signal: AbortSignal): Promise<CheckedSite | undefined> {
        const plan = this.#generation?.plan;
        return plan === undefined ? undefined : this.#check.run(plan, signal);
    }

    async #createPart({ site: plan }: ExportPlan): Promise<SitePart> {
        const theme = await readTheme(plan.features, plan.settings, [], plan.targets.domain);
        const current = () => this.#log;
        const warnings = {
            add: (warning: FoundWarning) => current().add(warning),
            get kept() {
                return current().kept;
            },
        };
        const output = { write: nothing, copy: nothing };
        const anchors = new AnchorCheck();
        return createPart(0, { plan, theme, cache: undefined, warnings, anchors, output });
    }

    #render(generation: Generation, route: string): Promise<RenderedPage> {
        const render = async (): Promise<RenderedPage> => {
            const known = generation.rendered.get(route);
            if (known !== undefined) {
                return known;
            }
            const number = generation.numbers.get(route) as number;
            const page = generation.pages[number] as SitePage;
            const warnings: SiteWarning[] = [];
            this.#log = new WarningLog(generation.plan.placeOf, (warning) => void warnings.push(warning));
            this.#work.onPage?.(page.file);
            const { html, markdown } = await withEngine(() => generation.part.writer.write(page, number));
            this.#work.onPage?.(undefined);
            const digest = createHash("sha256").update(html).digest("base64url");
            const written = { html, markdown, digest, warnings };
            if (generation.rendered.size >= maxRendered) {
                generation.rendered.clear();
            }
            generation.rendered.set(route, written);
            return written;
        };
        const rendered = this.#queue.then(render);
        this.#queue = rendered.catch(() => undefined);
        return rendered;
    }
}

/** The route of an address: `guides/start.html`, `guides/start` and `guides/start/` are the same page. */
function routeOf(path: string): string {
    const name = isPageFile(path) ? path.replace(/\.md$/, "") : path.replace(/\.html$/, "");
    return trimTrailing(name, "/") || homeRoute;
}

/** Returns the text of a theme file, by the name under which pages load the file. */
async function themeText({ theme, writer }: SitePart, path: string): Promise<string | undefined> {
    if (path === theme.utilities) {
        return (await writer.utilityClasses.styles()) ?? "";
    }
    return path === theme.diagrams ? diagramScript() : theme.contents.get(path);
}

function siteErrorOf(error: unknown): SiteError {
    const reason = `the site cannot be read: ${String(error)}`;
    return error instanceof SiteError ? error : new SiteError(".", undefined, reason);
}
