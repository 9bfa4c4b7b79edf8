import { createYieldToEventLoop } from "./yield-to-event-loop.js";
import { type DeploymentType } from "@pulumi-static-export/contract";
import { type Audience } from "../access/audience.js";
import { accessFile, AccessList } from "../output/access-list.js";
import { AnchorCheck } from "../links/anchor-check.js";
import { featuresOf } from "../settings/deployment.js";
import { type PrivatePages } from "../plan/page-limits.js";
import { planSite, type ExportPlan } from "../plan/site-plan.js";
import { StrictError } from "../problems/strict-error.js";
import { WarningLog, type KeptWarning, type SiteWarning, type WarningKind } from "../problems/warnings.js";
import { ArchiveOutput, type BundleInfo } from "../output/archive-output.js";
import { filesOfPart, generatedFiles, rootFiles } from "../generated/generated-files.js";
import { folderInOutput } from "../output/folder-in-output.js";
import { OutputFolder } from "../output/output-folder.js";
import { indexedPages } from "../generated/markdown-copies.js";
import { writeLlmsFull } from "../generated/llms-full.js";
import { PageCache } from "../plan/page-cache.js";
import { filesOfPages } from "./files-of-pages.js";
import { readerFiles } from "./reader-files.js";
import { createPart, folderOfPart, type SitePart } from "./site-part.js";
import { writeAssets } from "./site-assets.js";
import { type SiteOutput } from "../output/site-output.js";
import { changedStyles } from "./site-styles.js";
import { writeSitePages } from "./site-pages-writer.js";
import { withEngine } from "../script/engine.js";
import { diagramScript, readTheme, rendererFingerprint } from "../layout/theme-files.js";

export interface ExportSiteOptions {
    /** Folder of Markdown files, with or without a `docs.json`. */
    siteDir: string;
    /** Host name of the site, for canonical addresses and the site map. */
    domain: string;
    /**
     * The path of the domain below which the site is served, such as `docs`, as `parseBasePath` gives it; empty for none.
     * The site is then a folder of the export.
     * @default the path of the canonical address in the settings, where that has the domain
     */
    basePath?: string;
    /** Label of this export, shown at the foot of every page. */
    version?: string;
    /** Addresses such as `/guides/start`; only these pages are exported, and the navigation lists only them. */
    paths?: readonly string[];
    /** Where rendered pages are kept between exports; without it every page is rendered again. */
    cacheDir?: string;
    /** Folders that are not published although they may lie in the site; the output and `cacheDir` never are. */
    excludedDirs?: readonly string[];
    /** Called before a page is read or rendered, and with undefined when no page is worked on any more. */
    onPage?: (file: string | undefined) => void;
    /** Called once before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    /** Decides what pages bring along in addition to their text, as the contract's matrix says. @default client-hosted */
    deployment?: DeploymentType;
    /** Keeps the forms that send requests in an air-gapped export. @default false */
    acknowledgeTryIt?: boolean;
    /** What to do with pages for certain readers (`groups`, `public: false`). @default leave-out */
    privatePages?: PrivatePages;
    /** Fails when there is any warning, after all of them were found. */
    strict?: boolean;
    /** Called with each place that has a warning, also those beyond what the result tells. */
    onWarning?: (warning: SiteWarning) => void;
    signal?: AbortSignal;
}

/** Where the files of a site go: into a folder, which is created when missing and must be empty. */
export interface FolderTarget {
    outDir: string;
}

/** Where a site goes as one file, a `tar.gz`. */
export interface ArchiveTarget {
    archivePath: string;
}

export interface ExportSiteResult {
    pageCount: number;
    /** What the site's authors should know, each once with its places, at most 500 of them. */
    warnings: readonly KeptWarning[];
    /** How many places have a warning of each kind, those beyond the first 500 warnings included. */
    warningCounts: Readonly<Partial<Record<WarningKind, number>>>;
    /** How many pages were taken from `cacheDir` instead of being rendered. */
    reusedCount: number;
}

/**
 * Renders a site into static files that need no server. The same site gives the same bytes, with and without a cache.
 * When it rejects, nothing is written any more: no archive is left behind, and what is in a folder is of no use.
 *
 * @throws SiteError when the site is at fault, the signal's reason when it was aborted
 */
export function exportSite(options: ExportSiteOptions & ArchiveTarget): Promise<ExportSiteResult & BundleInfo>;
export function exportSite(options: ExportSiteOptions & FolderTarget): Promise<ExportSiteResult>;
export async function exportSite(
    options: ExportSiteOptions & (ArchiveTarget | FolderTarget),
): Promise<ExportSiteResult> {
    const { cacheDir, domain, signal } = options;
    const yieldToEventLoop = createYieldToEventLoop(signal);
    await yieldToEventLoop();
    const cache = PageCache.open(cacheDir, domain, rendererFingerprint());
    let output: ArchiveOutput | OutputFolder | undefined;
    try {
        const plan = await planFor(options, cache, yieldToEventLoop);
        output = "archivePath" in options ? new ArchiveOutput(options.archivePath) : new OutputFolder(options.outDir);
        const result = await writeSite(plan, options, output, cache, yieldToEventLoop);
        const bundle = await output.finish();
        await cache.save(yieldToEventLoop);
        return { ...result, ...bundle };
    } finally {
        await output?.settle();
        cache.close();
    }
}

function planFor(
    options: ExportSiteOptions & Partial<FolderTarget>,
    cache: PageCache,
    yieldToEventLoop: () => Promise<void>,
): Promise<ExportPlan> {
    const { siteDir, domain, basePath, paths, cacheDir, outDir, onPage, privatePages = "leave-out" } = options;
    const ownDirs = [outDir, cacheDir].filter((dir) => dir !== undefined);
    const excludedDirs = [...ownDirs, ...(options.excludedDirs ?? [])];
    const features = featuresOf(options.deployment ?? "client-hosted", options.acknowledgeTryIt === true);
    const site = { siteDir, excludedDirs, domain, basePath, paths, privatePages, features };
    return planSite({ ...site, cache, yieldToEventLoop, onPage });
}

async function writeSite(
    { site, apart, leftOut, problems, placed }: ExportPlan,
    { version, strict, privatePages, onPage, onProgress, onWarning }: ExportSiteOptions,
    root: SiteOutput,
    cache: PageCache,
    yieldToEventLoop: () => Promise<void>,
): Promise<ExportSiteResult> {
    const sizes = apart.map(({ pages }, index) => ({ folder: folderOfPart(index + 1), size: pages.length }));
    const widestFirst = sizes.sort((one, other) => other.size - one.size).map(({ folder }) => folder);
    const theme = await readTheme(site.features, widestFirst);
    const warnings = new WarningLog(placed, onWarning);
    problems.forEach((problem) => warnings.add(problem));
    const accessList = new AccessList();
    const outputFor = (audience: Audience) =>
        folderInOutput(accessList.outputFor(audience, root), site.targets.basePath);
    const output = outputFor(undefined);
    const shared = { theme, cache, version, warnings, anchors: new AnchorCheck() };
    const everybodys = await createPart(0, { ...shared, plan: site, output });
    const parts: [SitePart, ...SitePart[]] = [everybodys];
    for (const plan of apart) {
        parts.push(await createPart(parts.length, { ...shared, plan, output: outputFor(plan.audience) }));
    }
    const pagesTotal = parts.reduce((sum, { plan }) => sum + plan.own.size, 0);
    onProgress?.({ pagesDone: 0, pagesTotal });
    const onPageDone = (pagesDone: number) => onProgress?.({ pagesDone, pagesTotal });
    await writeSitePages({ parts, onPage, onPageDone, yieldToEventLoop });
    const files = new Map(parts.flatMap(({ plan }) => plan.pages.map(({ route, file }) => [route, file])));
    shared.anchors.warnings(files).forEach((warning) => warnings.add(warning));
    const { writer } = everybodys;
    const styles = changedStyles(site, {
        onAsset: (file) => writer.linkedAssets.add(file),
        warn: (warning) => warnings.add(warning),
    });
    for (const [file, text] of styles) {
        await output.write(file, text);
    }
    const notFound = await withEngine(() => writer.notFoundText());
    const ofLeftOut = await filesOfPages({ plan: leftOut, theme, cache, version }, yieldToEventLoop, onPage);
    await writeAssets({ parts, ofLeftOut, written: styles, outputFor, yieldToEventLoop });
    for (const [file, text] of theme.contents) {
        await output.write(file, text);
    }
    if (parts.some((part) => part.writer.hasDiagrams)) {
        await output.write(theme.diagrams, await diagramScript());
    }
    for (const part of parts) {
        const utilities = await part.writer.utilityClasses.styles();
        if (utilities !== undefined) {
            await part.output.write(part.theme.utilities, utilities);
        }
    }
    const { siteName } = writer;
    const indexed = indexedPages(site);
    const firstPages = writer.firstPages();
    for (const [number, part] of parts.slice(1).entries()) {
        for (const [file, text] of readerFiles(firstPages, part)) {
            await part.output.write(file, text);
        }
        for (const [file, text] of filesOfPart(part.plan, number === 0 && site.pages.length === 0)) {
            await part.output.write(file, text);
        }
    }
    for (const [file, text] of generatedFiles(site, indexed, siteName, notFound)) {
        await output.write(file, text);
    }
    for (const [file, text] of rootFiles(site, siteName, notFound)) {
        await root.write(file, text);
    }
    await writeLlmsFull({ plan: site, pages: indexed, output, siteName, yieldToEventLoop });
    if (privatePages === "keep-apart") {
        await root.write(accessFile, accessList.text);
    }
    const [first, ...others] = warnings.kept;
    if (strict === true && first !== undefined) {
        throw new StrictError([first, ...others], warnings.counts, warnings.total);
    }
    return {
        pageCount: pagesTotal,
        warnings: warnings.kept,
        warningCounts: warnings.counts,
        reusedCount: parts.reduce((sum, part) => sum + part.writer.reusedCount, 0),
    };
}
