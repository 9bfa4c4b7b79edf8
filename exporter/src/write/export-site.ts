import { KnownFiles } from "../plan/known-files.js";
import { LastBundle } from "./last-bundle.js";
import { planSite, type ExportPlan, type SiteOptions } from "../plan/site-plan.js";
import { findSources, type SiteSources, SourceState } from "../plan/site-sources.js";
import { StrictError } from "../problems/site-error.js";
import { WarningLog, type SiteWarning } from "../problems/warning-log.js";
import { ArchiveOutput, type BundleInfo } from "./output/archive-output.js";
import { OutputFolder } from "./output/output-folder.js";
import { DamagedEntryError, EntryFile } from "../read/files/entry-file.js";
import { PageCache } from "../render/body/page-cache.js";
import { type PageWork } from "../plan/site-pages.js";
import { type SiteOutput } from "./output/site-output.js";
import { PageGroups, type StoredSources } from "./page-groups.js";
import { reportOptionsWithoutEffect, writeFinishedSite } from "./finished/write-finished-site.js";
import { earlyWorkers } from "./workers/groups-ahead.js";
import { type IdleWorkers } from "./workers/page-workers.js";
import { rendererFingerprint } from "../render/layout/theme-files.js";
import { type ExportSiteResult, writeSite, type WriteSiteOptions } from "./write-site.js";
import { setImmediate } from "node:timers/promises";

export interface ExportSiteOptions extends SiteOptions, WriteSiteOptions {
    /** The number of threads that render pages; the files do not depend on it. @default 1 */
    cores?: number;
    /** The threads of earlier exports, to which the export's own threads return; without it, they end. */
    idleWorkers?: IdleWorkers;
    /** Called with a page's file before the page is read or rendered, and with undefined after the last page. */
    onPage?: (file: string | undefined) => void;
    /** Whether the export fails after it has found all warnings, if there are any. */
    strict?: boolean;
    signal?: AbortSignal;
}

/** The folder for the files of a site, which is created if missing and must be empty. */
interface FolderDestination {
    outDir: string;
}

/** The file for the site, as one `tar.gz`. */
interface ArchiveDestination {
    archivePath: string;
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
    try {
        return await exportOnce(options);
    } catch (error) {
        if (!(error instanceof DamagedEntryError)) {
            throw error;
        }
        return exportOnce(options);
    }
}

async function exportOnce(
    options: ExportSiteOptions & (ArchiveDestination | FolderDestination),
): Promise<ExportSiteResult> {
    const { cacheDir, onPage, signal } = options;
    const yieldToEventLoop = createYieldToEventLoop(signal);
    await yieldToEventLoop();
    const ownDirs = [cacheDir, "outDir" in options ? options.outDir : undefined].filter((dir) => dir !== undefined);
    const excludedDirs = [...ownDirs, ...(options.excludedDirs ?? [])];
    const work = { fingerprint: rendererFingerprint(), yieldToEventLoop, onPage };
    const sources = await findSources({ ...options, excludedDirs }, work);
    const exportAll = sources.isFinished ? exportFinished : exportSources;
    if ("outDir" in options) {
        return exportAll(options, sources, work, () => ({ output: new OutputFolder(options.outDir) }));
    }
    const { archivePath, onProgress, onWarning } = options;
    const toArchive = (stored?: StoredSources) => (plan?: ExportPlan) => {
        const output = new ArchiveOutput(archivePath);
        return plan === undefined ? { output } : { output, groups: PageGroups.open(output, plan, stored) };
    };
    if (cacheDir === undefined) {
        return exportAll(options, sources, work, toArchive());
    }
    const settings = settingsOf(options, work.fingerprint);
    const last = LastBundle.open<ArchiveResult>(cacheDir, settings);
    const copyLast = async (digests: readonly string[]) => {
        const same = await last.copyTo(archivePath, digests, onWarning ?? (() => undefined));
        if (same !== undefined) {
            onProgress?.({ pagesDone: same.pageCount, pagesTotal: same.pageCount });
        }
        return same;
    };
    const same = await copyLast([sources.digest]);
    if (same !== undefined) {
        return same;
    }
    const knownFiles = KnownFiles.open(cacheDir, options.domain);
    try {
        const state = await SourceState.of(sources, knownFiles, yieldToEventLoop);
        const saveFiles = () => saveCache(signal, () => knownFiles.save(yieldToEventLoop));
        const sameText = await copyLast(state.digests);
        if (sameText !== undefined) {
            await saveFiles();
            return sameText;
        }
        const addPlace = (warning: SiteWarning) => {
            last.addPlace(warning);
            onWarning?.(warning);
        };
        const stored = { cacheDir, settings: JSON.stringify(settings), sources: state };
        const recording = { ...options, onWarning: addPlace };
        const bundle = await exportAll(recording, sources, { ...work, knownFiles }, toArchive(stored));
        await saveCache(signal, () => last.save(archivePath, bundle, state));
        if (state.wasCurrent) {
            await saveFiles();
        }
        return bundle;
    } finally {
        knownFiles.close();
    }
}

/** Without its cache, the next export takes longer, but this export is complete. */
async function saveCache(signal: AbortSignal | undefined, save: () => Promise<void>): Promise<void> {
    try {
        await save();
    } catch {
        signal?.throwIfAborted();
    }
}

type ArchiveResult = ExportSiteResult & BundleInfo;

/** The options that affect an export, as JSON, without folders and functions. */
function settingsOf(options: ExportSiteOptions & ArchiveDestination, fingerprint: string) {
    const { sourceDir, cacheDir, archivePath, excludedDirs, signal, cores, idleWorkers, ...settings } = options;
    return { ...settings, fingerprint };
}

/** Creates the output after the site was planned; without a plan for finished HTML. */
type CreateTarget<Bundle> = (plan?: ExportPlan) => Target<Bundle>;

interface Target<Bundle> {
    readonly output: SiteOutput & { finish(): Promise<Bundle>; settle(): Promise<void> };
    readonly groups?: PageGroups;
}

/** Exports the output of a site's builder. */
async function exportFinished<Bundle extends BundleInfo | void>(
    options: ExportSiteOptions,
    { files }: SiteSources,
    { yieldToEventLoop, onPage }: PageWork,
    createTarget: CreateTarget<Bundle>,
): Promise<ExportSiteResult & Bundle> {
    const { output } = createTarget();
    const warnings = new WarningLog(undefined, options.onWarning);
    try {
        const pageCount = await writeFinishedSite(options, files, output, {
            warnings,
            yieldToEventLoop,
            onPage,
            onDone: (pagesDone, pagesTotal) => options.onProgress?.({ pagesDone, pagesTotal }),
        });
        assertStrict(options.strict, { warnings: warnings.kept, warningCounts: warnings.counts });
        reportOptionsWithoutEffect(options, warnings);
        const bundle = await output.finish();
        const { kept, counts } = warnings;
        const result = { pageCount, warnings: kept, warningCounts: counts, sends: [], draftCount: 0, reusedCount: 0 };
        return { ...result, leftOut: files.leftOut, ...bundle };
    } finally {
        await output.settle();
    }
}

/** @throws StrictError */
function assertStrict(
    strict: boolean | undefined,
    { warnings: [first, ...others], warningCounts }: Pick<ExportSiteResult, "warnings" | "warningCounts">,
): void {
    if (strict === true && first !== undefined) {
        throw new StrictError([first, ...others], warningCounts);
    }
}

/** Plans and renders a site. */
async function exportSources<Bundle extends BundleInfo | void>(
    options: ExportSiteOptions,
    sources: SiteSources,
    work: PageWork,
    createTarget: CreateTarget<Bundle>,
): Promise<ExportSiteResult & Bundle> {
    const { cacheDir, domain } = options;
    // Settings and documents of APIs, which are read first, may take long.
    work.onPage?.(undefined);
    const entries = cacheDir === undefined ? undefined : EntryFile.open(cacheDir, domain, "pages");
    const cache = entries && new PageCache(entries);
    const workers = earlyWorkers(
        options.cores,
        entries?.isNew === false ? 0 : sources.files.pages.size,
        options.idleWorkers,
    );
    let target: Target<Bundle> | undefined;
    try {
        const plan = await planSite(options, work, sources);
        target = createTarget(plan);
        const { output, groups } = target;
        const result = await writeSite(plan, options, output, cache, work, groups, workers);
        assertStrict(options.strict, result);
        const bundle = await output.finish();
        // The threads have the file of entries open, and Windows does not replace an open file.
        await workers.close();
        await saveCache(options.signal, async () => {
            await entries?.save(work.yieldToEventLoop);
            await groups?.save(result.warnings.length, work.yieldToEventLoop);
        });
        return { ...result, ...bundle };
    } finally {
        await target?.output.settle();
        await target?.groups?.close();
        entries?.close();
        await workers.close();
    }
}

/** The longest time before the event loop gets a turn. */
const maxStretchMs = 12;

/**
 * Returns a function to call between two steps. The function throws if the task was aborted, and gives the event loop a
 * turn.
 */
function createYieldToEventLoop(signal: AbortSignal | undefined): () => Promise<void> {
    let turnStartedMs = performance.now();
    const giveTurn = async () => {
        await setImmediate();
        signal?.throwIfAborted();
        turnStartedMs = performance.now();
    };
    // Most steps need no turn, and share one promise.
    const noTurn = Promise.resolve();
    return () => {
        signal?.throwIfAborted();
        return performance.now() - turnStartedMs < maxStretchMs ? noTurn : giveTurn();
    };
}
