import { accessFile, bundleFactsFile } from "@pulumi-static-export/contract";
import { type Readers } from "../read/readers/readers.js";
import { belowBasePath } from "../read/files/routes.js";
import { ReadersList } from "./output/readers-list.js";
import { AnchorCheck } from "../plan/links/anchor-check.js";
import { defaultDeployment } from "../read/settings/deployment.js";
import { bundleFacts } from "./bundle-facts.js";
import { writeVersion } from "./output/write-version.js";
import { sentencesOf } from "../read/settings/describe-integrations.js";
import { KnownFiles } from "../plan/known-files.js";
import { KnownModels } from "../plan/known-models.js";
import { LastBundle } from "./last-bundle.js";
import { siteNameOf, planSite, type ExportPlan, type SiteOptions } from "../plan/site-plan.js";
import { findSources, type SiteSources, SourceState } from "../plan/site-sources.js";
import { StrictError } from "../problems/site-error.js";
import {
    WarningLog,
    type FoundWarning,
    type KeptWarning,
    type SiteWarning,
    type WarningKind,
} from "../problems/warnings.js";
import { ArchiveOutput, type BundleInfo } from "./output/archive-output.js";
import { filesOfPart, generatedFiles, rootFiles } from "./generated/generated-files.js";
import { OutputFolder } from "./output/output-folder.js";
import { AgentFiles } from "./agents/agent-files.js";
import { indexedPages } from "./agents/listed-pages.js";
import { EntryFile } from "../read/files/entry-file.js";
import { PageCache } from "../render/body/page-cache.js";
import { type PageWork } from "../plan/site-pages.js";
import { filesOfPages, writeAssets, changedStyles } from "./site-assets.js";
import { readerFiles, createPart, folderOfPart, type SitePart } from "./pages/site-part.js";
import { type SiteOutput, withNames, writeAll } from "./output/site-output.js";
import { PageGroups, type StoredSources } from "./page-groups.js";
import { writeSitePages } from "./site-pages-writer.js";
import { reportOptionsWithoutEffect, writeFinishedSite } from "./finished/write-finished-site.js";
import { earlyWorkers } from "./workers/groups-ahead.js";
import { withEngine } from "../render/script/engine.js";
import { diagramScript, readTheme, rendererFingerprint } from "../render/layout/theme-files.js";
import { createYieldToEventLoop } from "./yield-to-event-loop.js";

export interface ExportSiteOptions extends SiteOptions {
    /** The label of this export, in `static-export/version.json`. */
    version?: string;
    /** The cache of rendered pages, which is never published. Without this cache, every export renders every page. */
    cacheDir?: string;
    /** The number of threads that render pages; the files do not depend on it. @default 1 */
    cores?: number;
    /** Called with a page's file before the page is read or rendered, and with undefined after the last page. */
    onPage?: (file: string | undefined) => void;
    /** Called before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    /** Whether the export fails after it has found all warnings, if there are any. */
    strict?: boolean;
    /** Called with each place of a warning, including places beyond the result's limits. */
    onWarning?: (warning: SiteWarning) => void;
    signal?: AbortSignal;
}

/** The folder for the files of a site, which is created if missing and must be empty. */
export interface FolderDestination {
    outDir: string;
}

/** The file for the site, as one `tar.gz`. */
export interface ArchiveDestination {
    archivePath: string;
}

export interface ExportSiteResult {
    pageCount: number;
    /** Up to 500 different warnings for the site's authors, each with its places. */
    warnings: readonly KeptWarning[];
    /** The number of places of each kind of warning, including places beyond the first 500 warnings. */
    warningCounts: Readonly<Partial<Record<WarningKind, number>>>;
    /** One sentence for each third-party service about the data that pages send to this service. */
    sends: readonly string[];
    /** The number of unfinished pages that were left out: drafts, and pages that the settings exclude. */
    draftCount: number;
    /** The number of pages that were taken from `cacheDir` instead of being rendered. */
    reusedCount: number;
}

/**
 * Renders a site into static files that need no server. The same site always results in the same bytes, with or without
 * a cache. After the promise rejects, nothing more is written. After a failure, no archive remains, and a folder
 * contains only a part of the site.
 * @throws SiteError when the site is at fault, the signal's reason when it was aborted
 */
export function exportSite(options: ExportSiteOptions & ArchiveDestination): Promise<ArchiveResult>;
export function exportSite(options: ExportSiteOptions & FolderDestination): Promise<ExportSiteResult>;
export async function exportSite(
    options: ExportSiteOptions & (ArchiveDestination | FolderDestination),
): Promise<ExportSiteResult> {
    const { cacheDir, onPage, signal } = options;
    const yieldToEventLoop = createYieldToEventLoop(signal);
    await yieldToEventLoop();
    const ownDirs = [cacheDir, "outDir" in options ? options.outDir : undefined].filter((dir) => dir !== undefined);
    const excludedDirs = [...ownDirs, ...(options.excludedDirs ?? [])];
    const work = { fingerprint: rendererFingerprint(), yieldToEventLoop, onPage };
    const sources = await findSources({ ...options, excludedDirs }, work);
    if ("outDir" in options) {
        return exportSources(options, sources, work, () => ({ output: new OutputFolder(options.outDir) }));
    }
    const { archivePath, onProgress, onWarning } = options;
    const toArchive = (stored?: StoredSources) => (plan?: ExportPlan) => {
        const output = new ArchiveOutput(archivePath);
        return plan === undefined ? { output } : { output, groups: PageGroups.open(output, plan, stored) };
    };
    if (cacheDir === undefined) {
        return exportSources(options, sources, work, toArchive());
    }
    const knownFiles = KnownFiles.open(cacheDir, options.domain);
    try {
        const settings = settingsOf(options, work.fingerprint);
        const state = await SourceState.of(sources, knownFiles, yieldToEventLoop);
        const last = LastBundle.open<ArchiveResult>(cacheDir, settings, state);
        const same = await last.copyTo(archivePath, onWarning ?? (() => undefined));
        if (same !== undefined) {
            onProgress?.({ pagesDone: same.pageCount, pagesTotal: same.pageCount });
            await knownFiles.save(yieldToEventLoop);
            return same;
        }
        const addPlace = (warning: SiteWarning) => {
            last.addPlace(warning);
            onWarning?.(warning);
        };
        const stored = { cacheDir, settings: JSON.stringify(settings), sources: state };
        const recording = { ...options, onWarning: addPlace };
        const bundle = await exportSources(recording, sources, { ...work, knownFiles }, toArchive(stored));
        await last.save(archivePath, bundle);
        if (state.wasCurrent) {
            await knownFiles.save(yieldToEventLoop);
        }
        return bundle;
    } finally {
        knownFiles.close();
    }
}

type ArchiveResult = ExportSiteResult & BundleInfo;

/** The options that affect an export, as JSON, without folders and functions. */
function settingsOf(options: ExportSiteOptions & ArchiveDestination, fingerprint: string) {
    const { sourceDir, cacheDir, archivePath, excludedDirs, signal, cores, ...settings } = options;
    return { ...settings, fingerprint };
}

interface Target<Bundle> {
    readonly output: SiteOutput & { finish(): Promise<Bundle>; settle(): Promise<void> };
    readonly groups?: PageGroups;
}

/** Exports the output of a site's builder. */
async function exportFinished<Bundle extends BundleInfo | void>(
    options: ExportSiteOptions,
    { files }: SiteSources,
    { yieldToEventLoop, onPage }: PageWork,
    { output }: Target<Bundle>,
): Promise<ExportSiteResult & Bundle> {
    const warnings = new WarningLog(undefined, options.onWarning);
    try {
        const pageCount = await writeFinishedSite(options, files, output, {
            warnings,
            yieldToEventLoop,
            onPage,
            onDone: (pagesDone, pagesTotal) => options.onProgress?.({ pagesDone, pagesTotal }),
        });
        assertStrict(options.strict, warnings);
        reportOptionsWithoutEffect(options, warnings);
        const bundle = await output.finish();
        const { kept, counts } = warnings;
        const result = { pageCount, warnings: kept, warningCounts: counts, sends: [], draftCount: 0, reusedCount: 0 };
        return { ...result, ...bundle };
    } finally {
        await output.settle();
    }
}

/** @throws StrictError */
function assertStrict(strict: boolean | undefined, warnings: WarningLog): void {
    const [first, ...others] = warnings.kept;
    if (strict === true && first !== undefined) {
        throw new StrictError([first, ...others], warnings.counts, warnings.total);
    }
}

/** @param createTarget called after the site was planned; without a plan for finished HTML */
async function exportSources<Bundle extends BundleInfo | void>(
    options: ExportSiteOptions,
    sources: SiteSources,
    work: PageWork & { readonly knownFiles?: KnownFiles },
    createTarget: (plan?: ExportPlan) => Target<Bundle>,
): Promise<ExportSiteResult & Bundle> {
    if (sources.isFinished) {
        return exportFinished(options, sources, work, createTarget());
    }
    const { cacheDir, domain } = options;
    const entries = cacheDir === undefined ? undefined : EntryFile.open(cacheDir, domain, "pages");
    const cache = entries && new PageCache(entries);
    const workers = earlyWorkers(options.cores, entries?.isNew === false ? 0 : sources.files.pages.size);
    let target: Target<Bundle> | undefined;
    try {
        const knownModels = cacheDir === undefined ? undefined : KnownModels.open(cacheDir, domain);
        const plan = await planSite(options, { ...work, knownModels }, sources);
        target = createTarget(plan);
        const { output, groups } = target;
        const result = await writeSite(plan, options, output, cache, work, groups, workers);
        const bundle = await output.finish();
        await entries?.save(work.yieldToEventLoop);
        await groups?.save(result.warnings.length, work.yieldToEventLoop);
        await knownModels?.save();
        return { ...result, ...bundle };
    } finally {
        await target?.output.settle();
        await target?.groups?.close();
        entries?.close();
        await workers.close();
    }
}

/** Writes all files of a planned site. */
export async function writeSite(
    { site, privatePlans, forNobody, texts, problems, draftCount, placeOf }: ExportPlan,
    {
        version,
        strict,
        privatePages,
        deployment = defaultDeployment,
        cacheDir,
        onProgress,
        onWarning,
    }: Omit<ExportSiteOptions, keyof SiteOptions | "signal"> & Pick<SiteOptions, "privatePages" | "deployment">,
    root: SiteOutput,
    cache: PageCache | undefined,
    work: PageWork,
    groups?: PageGroups,
    workers = earlyWorkers(),
): Promise<ExportSiteResult> {
    const sizes = privatePlans.map(({ pages }, index) => ({ folder: folderOfPart(index + 1), size: pages.length }));
    const widestFirst = sizes.sort((one, other) => other.size - one.size).map(({ folder }) => folder);
    const theme = await readTheme(site.features, site.settings, widestFirst, site.targets.domain);
    const warnings = new WarningLog(placeOf, onWarning);
    problems.forEach((problem) => warnings.add(problem));
    const readersList = new ReadersList();
    const outputFor = (readers: Readers) =>
        withNames(readersList.outputFor(readers, root), (file) => belowBasePath(site.targets.basePath, file));
    const output = outputFor(undefined);
    const shared = {
        theme,
        cache,
        warnings: { add: (warning: FoundWarning) => warnings.add(warning), kept: warnings.kept },
        anchors: new AnchorCheck(),
    };
    const everybodys = await createPart(0, { ...shared, plan: site, output });
    const parts: [SitePart, ...SitePart[]] = [everybodys];
    for (const plan of privatePlans) {
        parts.push(await createPart(parts.length, { ...shared, plan, output: outputFor(plan.readers) }));
    }
    const siteName = siteNameOf(site);
    const indexed = indexedPages(site);
    const outputAtRoot = site.targets.basePath === "" ? undefined : root;
    const agentFiles = new AgentFiles({
        plan: site,
        indexed,
        siteName,
        output,
        writePart: (file, names, text) => {
            const write = () => output.write(file, text());
            return groups === undefined ? write() : groups.addFiles(names, write);
        },
        root: outputAtRoot,
        warn: (warning) => warnings.add(warning),
    });
    const pagesTotal = parts.reduce((sum, { plan }) => sum + plan.own.size, 0);
    const onDone = (pagesDone: number) => onProgress?.({ pagesDone, pagesTotal });
    onDone(0);
    const stored = cacheDir === undefined ? undefined : { cacheDir, domain: site.targets.domain };
    const warnedFiles = shared.warnings.kept.map(({ file }) => file);
    await writeSitePages({ parts, agentFiles, groups, work, workers, cache, stored, warnedFiles, onDone });
    const fileOf = (route: string) => {
        const [file] = parts.flatMap(({ plan, numbers }) => plan.pages[numbers.get(route) ?? -1]?.file ?? []);
        return file;
    };
    shared.anchors.warnings(fileOf).forEach((warning) => warnings.add(warning));
    const { writer } = everybodys;
    const warn = (warning: SiteWarning): void => warnings.add(warning);
    const styles = changedStyles(site, (file) => writer.linkedAssets.add(file), warn);
    await writeAll(output, styles);
    const notFound = await withEngine(() => writer.notFoundPage());
    const isForAll = parts.length === 1 && forNobody.pages.length === 0;
    const filesForNobody = isForAll ? undefined : await filesOfPages({ plan: forNobody, theme, cache }, work);
    const published = await writeAssets({
        parts,
        filesForNobody,
        texts: texts(),
        written: styles,
        outputFor,
        warn,
        yieldToEventLoop: work.yieldToEventLoop,
    });
    await writeAll(output, theme.contents);
    if (parts.some((part) => part.writer.frame.lists.areCut)) {
        await output.write(theme.lists, theme.listScript);
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
    for (const [number, part] of parts.slice(1).entries()) {
        await writeAll(part.output, readerFiles(everybodys, part));
        await writeAll(part.output, filesOfPart(part.plan, number === 0 && site.pages.length === 0));
    }
    await writeAll(output, generatedFiles(site, indexed, siteName, notFound));
    await writeAll(root, rootFiles(site, notFound));
    await writeVersion(root, version);
    await agentFiles.finish(published);
    // `bundle.json` is not public, because it contains the number of private pages. Programs that check a bundle read
    // the file from the archive.
    const outputOfFacts = readersList.outputFor(parts.length > 1 ? [] : undefined, root);
    await outputOfFacts.write(bundleFactsFile, bundleFacts(parts, deployment));
    if (privatePages === "keep-apart") {
        await root.write(accessFile, readersList.text);
    }
    assertStrict(strict, warnings);
    return {
        pageCount: pagesTotal,
        warnings: warnings.kept,
        warningCounts: warnings.counts,
        draftCount,
        sends: site.settings.integrations === undefined ? [] : sentencesOf(site.settings.integrations),
        reusedCount: parts.reduce((sum, part) => sum + part.writer.reusedCount, 0),
    };
}
