import { type LeftOutEntries } from "../read/files/source-files.js";
import { accessFile, bundleFactsFile } from "@pulumi-static-export/contract";
import { AnchorCheck, anchorsOfFinishedPage } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { siteNameOf, type ExportPlan, type SiteOptions } from "../plan/site-plan.js";
import {
    type FoundWarning,
    type KeptWarning,
    type SiteWarning,
    type WarningKind,
    WarningLog,
} from "../problems/warning-log.js";
import { belowBasePath } from "../read/files/routes.js";
import { type Readers } from "../read/readers/readers.js";
import { defaultDeployment } from "../read/settings/deployment.js";
import { sentencesOf } from "../read/settings/describe-integrations.js";
import { type PageCache } from "../render/body/page-cache.js";
import { diagramScript, readTheme, type ThemeFiles } from "../render/layout/theme-files.js";
import { withEngine } from "../render/script/script-engine.js";
import { AgentFiles } from "./agents/agent-files.js";
import { indexedPages } from "./agents/listed-pages.js";
import { bundleFacts } from "./bundle-facts.js";
import { generatedFiles, homeOfPart, rootFiles } from "./generated/generated-files.js";
import { redirectPages } from "./generated/redirect-files.js";
import { ExportNames } from "./output/export-names.js";
import { ReadersList } from "./output/readers-list.js";
import { type SiteOutput, withNames, writeAll, writeVersion } from "./output/site-output.js";
import { type PageGroups } from "./page-groups.js";
import { createPart, folderOfPart, readerFiles, type SitePart } from "./pages/site-part.js";
import { changedStyles, filesOfPages, writeAssets } from "./site-assets.js";
import { writeSitePages } from "./site-pages-writer.js";
import { earlyWorkers } from "./workers/groups-ahead.js";

export interface WriteSiteOptions extends Pick<SiteOptions, "privatePages" | "deployment"> {
    /** The label of this export, in `static-export/version.json`. */
    version?: string;
    /** The cache of rendered pages, which is never published. Without this cache, every export renders every page. */
    cacheDir?: string;
    /** Called before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    /** Called with each place of a warning, including places beyond the result's limits. */
    onWarning?: (warning: SiteWarning) => void;
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
    /** Of finished HTML. */
    leftOut?: LeftOutEntries;
    /** The number of pages that were taken from `cacheDir` instead of being rendered. */
    reusedCount: number;
}

/** Writes all files of a planned site. @throws SiteError */
export async function writeSite(
    plan: ExportPlan,
    options: WriteSiteOptions,
    destination: SiteOutput,
    cache: PageCache | undefined,
    work: PageWork,
    groups?: PageGroups,
    workers = earlyWorkers(),
): Promise<ExportSiteResult> {
    const { site, problems, draftCount, placeOf } = plan;
    const warnings = new WarningLog(placeOf, options.onWarning);
    problems.forEach((problem) => warnings.add(problem));
    const opened = await openSite(plan, destination, cache, warnings);
    const { root, parts, output, anchors, indexed, siteName } = opened;
    const agentFiles = createAgentFiles(opened, groups);
    const pagesTotal = parts.reduce((sum, { plan: { own } }) => sum + own.size, 0);
    const onDone = (pagesDone: number) => options.onProgress?.({ pagesDone, pagesTotal });
    onDone(0);
    const { cacheDir } = options;
    const stored = cacheDir === undefined ? undefined : { cacheDir, domain: site.targets.domain };
    const warnedFiles = warnings.kept.map(({ file }) => file);
    await writeSitePages({ parts, agentFiles, groups, work, workers, cache, stored, warnedFiles, onDone });
    anchors.add(anchorsOfFinishedPage("", [], plan.anchors));
    anchors.warnings((route) => fileOf(parts, route)).forEach((warning) => warnings.add(warning));
    const { notFound, published } = await writeSourceFiles(opened, cache, work);
    await writeThemeFiles(opened);
    await writeAll(output, generatedFiles(site, indexed, siteName, notFound));
    await writeAll(root, rootFiles(site, notFound));
    await writeVersion(root, options.version);
    await agentFiles.finish(published);
    await writeFacts(opened, options);
    for (const part of parts) {
        await writeAll(part.output, redirectPages(part.plan, opened.names));
    }
    if (options.privatePages === "keep-apart") {
        await opened.root.write(accessFile, opened.readersList.text);
    }
    return {
        pageCount: pagesTotal,
        warnings: warnings.kept,
        warningCounts: warnings.counts,
        draftCount,
        sends: site.settings.integrations === undefined ? [] : sentencesOf(site.settings.integrations),
        reusedCount: parts.reduce((sum, { writer }) => sum + writer.reusedCount, 0),
    };
}

interface OpenedSite {
    readonly plan: ExportPlan;
    readonly siteName: string;
    /** The pages that search engines and agents may list. */
    readonly indexed: ReturnType<typeof indexedPages>;
    readonly theme: ThemeFiles;
    /** Everybody's first. */
    readonly parts: readonly [SitePart, ...SitePart[]];
    readonly readersList: ReadersList;
    readonly names: ExportNames;
    readonly root: SiteOutput;
    /** The output for files of certain readers, below the site's base path. */
    readonly outputFor: (readers: Readers) => SiteOutput;
    readonly output: SiteOutput;
    readonly anchors: AnchorCheck;
    readonly warn: (warning: FoundWarning) => void;
}

async function openSite(
    plan: ExportPlan,
    destination: SiteOutput,
    cache: PageCache | undefined,
    warnings: WarningLog,
): Promise<OpenedSite> {
    const { site, privatePlans } = plan;
    const names = new ExportNames(site.targets);
    const root = names.checked(destination);
    const sizes = privatePlans.map(({ pages }, index) => ({ folder: folderOfPart(index + 1), size: pages.length }));
    const widestFirst = sizes.sort((one, other) => other.size - one.size).map(({ folder }) => folder);
    const theme = await readTheme(site.features, site.settings, widestFirst, site.targets.domain);
    const readersList = new ReadersList();
    const outputFor = (readers: Readers) =>
        withNames(readersList.outputFor(readers, root), (file) => belowBasePath(site.targets.basePath, file));
    const output = outputFor(undefined);
    const warn = (warning: FoundWarning) => warnings.add(warning);
    const anchors = new AnchorCheck(site.pages.length);
    const shared = { theme, cache, warnings: { add: warn, kept: warnings.kept }, anchors };
    const parts: [SitePart, ...SitePart[]] = [await createPart(0, { ...shared, plan: site, output })];
    for (const each of privatePlans) {
        parts.push(await createPart(parts.length, { ...shared, plan: each, output: outputFor(each.readers) }));
    }
    const [siteName, indexed] = [siteNameOf(site), indexedPages(site)];
    return { plan, siteName, indexed, theme, parts, readersList, names, root, outputFor, output, anchors, warn };
}

function createAgentFiles(
    { plan: { site }, indexed, siteName, output, root, warn }: OpenedSite,
    groups?: PageGroups,
): AgentFiles {
    return new AgentFiles({
        plan: site,
        indexed,
        siteName,
        output,
        writePart: (file, names, text) => {
            const write = () => output.write(file, text());
            return groups === undefined ? write() : groups.addFiles(names, write);
        },
        root: site.targets.basePath === "" ? undefined : root,
        warn,
    });
}

function fileOf(parts: readonly SitePart[], route: string): string | undefined {
    const [file] = parts.flatMap(({ plan, numbers }) => plan.pages[numbers.get(route) ?? -1]?.file ?? []);
    return file;
}

/**
 * Writes the site's style sheets and the files that pages use, including the page for unknown addresses.
 * @returns this page, and the files for everybody
 */
async function writeSourceFiles(
    { plan: { site, forNobody, texts }, theme, parts, outputFor, output, warn }: OpenedSite,
    cache: PageCache | undefined,
    work: PageWork,
): Promise<{ readonly notFound: string; readonly published: ReadonlySet<string> }> {
    const [{ writer }] = parts;
    const styles = changedStyles(site, (file) => writer.linkedAssets.add(file), warn);
    await writeAll(output, styles);
    const notFound = await withEngine(() => writer.notFoundPage());
    const isForAll = parts.length === 1 && forNobody.pages.length === 0;
    const published = await writeAssets({
        parts,
        filesForNobody: isForAll ? undefined : await filesOfPages({ plan: forNobody, theme, cache }, work),
        texts: texts(),
        written: styles,
        outputFor,
        warn,
        yieldToEventLoop: work.yieldToEventLoop,
    });
    return { notFound, published };
}

/** Writes the theme, and for the readers of each private part, the files that show its pages. */
async function writeThemeFiles({ plan: { site }, theme, parts, output }: OpenedSite): Promise<void> {
    await writeAll(output, theme.contents);
    if (parts.some(({ writer }) => writer.frame.lists.areCut)) {
        await output.write(theme.lists, theme.listScript);
    }
    if (parts.some(({ writer }) => writer.hasDiagrams)) {
        await output.write(theme.diagrams, await diagramScript());
    }
    for (const part of parts) {
        const utilities = await part.writer.utilityClasses.styles();
        if (utilities !== undefined) {
            await part.output.write(part.theme.utilities, utilities);
        }
    }
    const [everybodys, ...others] = parts;
    for (const [number, part] of others.entries()) {
        await writeAll(part.output, readerFiles(everybodys, part));
        if (number === 0 && site.pages.length === 0) {
            await writeAll(part.output, homeOfPart(part.plan));
        }
    }
}

async function writeFacts(
    { parts, readersList, root }: OpenedSite,
    { deployment = defaultDeployment }: WriteSiteOptions,
): Promise<void> {
    // `bundle.json` is not public, because it contains the number of private pages. Programs that check a bundle read
    // the file from the archive.
    const output = readersList.outputFor(parts.length > 1 ? [] : undefined, root);
    await output.write(bundleFactsFile, bundleFacts(parts, deployment));
}
