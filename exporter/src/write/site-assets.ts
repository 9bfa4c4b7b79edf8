import { type Readers, areSameReaders, unionOf } from "../read/readers/readers.js";
import { MentionedFiles } from "./mentioned-files.js";
import { type SiteOutput } from "./output/site-output.js";
import { PageWriter, type PageWriterOptions } from "./pages/page-writer.js";
import { type SitePart } from "./pages/site-part.js";
import { AnchorCheck } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { WarningLog, type SiteWarning } from "../problems/warning-log.js";
import { withEngine } from "../render/script/script-engine.js";
import { maxPageBytes } from "../read/files/found-files.js";
import { hidingRules } from "../html/hiding-styles.js";
import { rewriteCssAddresses } from "../html/css-addresses.js";
import { resolveLink } from "../plan/links/link-resolver.js";
import { type SitePlan, type SiteText } from "../plan/site-plan.js";

interface WriteAssetsOptions {
    /** Everybody's first. */
    readonly parts: readonly [SitePart, ...SitePart[]];
    /** Files that only omitted pages use; undefined if all pages are public. */
    readonly filesForNobody: ReadonlySet<string> | undefined;
    /** Pages and settings that may name files, with their readers. */
    readonly texts: readonly SiteText[];
    /** Style sheets with rewritten addresses. */
    readonly written: ReadonlyMap<string, string>;
    readonly outputFor: (readers: Readers) => SiteOutput;
    readonly warn: (warning: SiteWarning) => void;
    readonly yieldToEventLoop: () => Promise<void>;
}

/** File names that browsers, crawlers and hosts request although no page mentions them. */
const askedForByName =
    /^(?:favicon\.\w+|apple-touch-icon[\w-]*\.png|(?:robots|humans|security|ads|app-ads)\.txt|CNAME|google[\da-f]+\.html|BingSiteAuth\.xml)$/;

/**
 * Copies the site's files; a file gets the readers of all pages that use it. A file that no page uses is public if all
 * pages are public. If some pages are private, the readers of a file that no page uses are the readers of the files
 * that mention the file; a file that nothing mentions is excluded.
 *
 * @returns the files for everybody
 */
export async function writeAssets({
    parts,
    filesForNobody,
    written,
    ...options
}: WriteAssetsOptions): Promise<ReadonlySet<string>> {
    const [{ plan }] = parts;
    const unused = new Set<string>();
    const published = new Set(written.keys());
    const copy = async (file: string, readers: Readers): Promise<void> => {
        await options.outputFor(readers).copy(file, plan.content.open(file));
        if (readers === undefined) {
            published.add(file);
        }
        await options.yieldToEventLoop();
    };
    for (const file of [...plan.targets.assets].filter((each) => !written.has(each))) {
        const users = parts.filter(({ writer }) => uses(writer, file));
        const isLinked = users.some(({ writer }) => writer.linkedAssets.has(file));
        if (plan.onlyWhenLinked.has(file) && !isLinked) {
            continue;
        }
        if (plan.styles.includes(file) || (filesForNobody === undefined && users.length === 0)) {
            await copy(file, undefined);
        } else if (users.length > 0) {
            await copy(file, users.map((part) => part.plan.readers).reduce(unionOf));
        } else if (filesForNobody?.has(file) === false) {
            unused.add(file);
        }
    }
    if (unused.size > 0) {
        const readersOf = await readersOfNamed(unused, parts, options);
        for (const file of unused) {
            const readers = askedForByName.test(file) ? undefined : readersOf(file);
            if (readers === "nobody") {
                options.warn({ kind: "access", file, line: undefined, reason: unnamed });
            } else {
                await copy(file, readers);
            }
        }
    }
    return published;
}

const unnamed =
    "the site has pages for certain readers, and no page of the export names this file, so it is left out. " +
    "Link to it from a public page to publish it";

/** Determines the readers of a file that no page uses: the readers of all files that mention it. */
async function readersOfNamed(
    unused: ReadonlySet<string>,
    parts: WriteAssetsOptions["parts"],
    { texts, yieldToEventLoop }: Pick<WriteAssetsOptions, "texts" | "yieldToEventLoop">,
): Promise<(file: string) => Readers | "nobody"> {
    const [{ plan }] = parts;
    const names = new MentionedFiles(plan.content, plan.targets.assets);
    const found: { readonly readers: Readers; readonly files: ReadonlySet<string> }[] = [];
    for (const {
        plan: { readers, styles },
        writer,
    } of parts) {
        const own = texts.filter((text) => areSameReaders(text.readers, readers)).map(({ file }) => file);
        const used = [...writer.linkedAssets, ...writer.importedFiles, ...(readers === undefined ? styles : [])];
        found.push({ readers, files: await names.namedBy([...own, ...used], unused, yieldToEventLoop) });
    }
    return (file) => {
        const mentioning = found.filter(({ files }) => files.has(file)).map(({ readers }) => readers);
        return mentioning.length === 0 ? "nobody" : mentioning.reduce(unionOf);
    };
}

function uses({ linkedAssets, importedFiles }: PageWriter, file: string): boolean {
    return linkedAssets.has(file) || importedFiles.has(file);
}

/**
 * The files of the site that pages link to or import. Renders the pages without writing them, because only the renderer
 * knows how components use their attributes.
 */
export async function filesOfPages(
    options: Omit<PageWriterOptions, "warnings" | "anchors">,
    { onPage, yieldToEventLoop }: PageWork,
): Promise<ReadonlySet<string>> {
    const { pages } = options.plan;
    if (pages.length === 0) {
        return new Set();
    }
    const writer = await withEngine(
        () => new PageWriter({ ...options, warnings: new WarningLog(), anchors: new AnchorCheck() }),
    );
    for (const [number, page] of pages.entries()) {
        onPage?.(page.file);
        await writer.write(page, number);
        await yieldToEventLoop();
    }
    onPage?.(undefined);
    return new Set([...writer.linkedAssets, ...writer.importedFiles]);
}

/**
 * Returns the text of the site's style sheets whose addresses have to be rewritten.
 * @param onAsset called with each file that a style sheet loads
 */
export function changedStyles(
    { styles, content, targets }: SitePlan,
    onAsset: (file: string) => void,
    warn: (warning: SiteWarning) => void,
): Map<string, string> {
    const changed = new Map<string, string>();
    for (const file of styles.filter((each) => content.bytesOf(each) <= maxPageBytes)) {
        const source = content.readText(file);
        const text = rewriteCssAddresses(source, (written, line) => {
            const { href, problem } = resolveLink(written, { file, route: file }, { ...targets, onAsset });
            if (problem !== undefined) {
                warn({ kind: "link", file, line, reason: problem });
            }
            return href;
        });
        for (const { selector, line } of hidingRules(source)) {
            const reason =
                `the rule for ${selector} would hide every page, for example until a script has run: ` +
                "the export ignores the rule, because it runs no scripts of a site";
            warn({ kind: "settings", file, line, reason });
        }
        if (text !== source) {
            changed.set(file, text);
        }
    }
    return changed;
}
