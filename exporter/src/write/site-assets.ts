import { type Audience, unionOf } from "../read/access/audience.js";
import { type SiteOutput } from "./output/site-output.js";
import { PageWriter, type PageWriterOptions } from "./page-writer.js";
import { type SitePart } from "./site-part.js";
import { AnchorCheck } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { WarningLog, type SiteWarning } from "../problems/warnings.js";
import { withEngine } from "../render/script/engine.js";
import { maxPageBytes } from "../read/files/found-files.js";
import { rewriteCssAddresses } from "../html/css-addresses.js";
import { resolveLink } from "../plan/links/link-resolver.js";
import { type SitePlan } from "../plan/site-plan.js";

export interface WriteAssetsOptions {
    /** Everybody's first. */
    readonly parts: readonly [SitePart, ...SitePart[]];
    /** Files that pages use which are left out. */
    readonly ofLeftOut: ReadonlySet<string>;
    /** Style sheets that were written with other addresses. */
    readonly written: ReadonlyMap<string, string>;
    readonly outputFor: (audience: Audience) => SiteOutput;
    readonly yieldToEventLoop: () => Promise<void>;
}

/** Copies the site's files, each for the readers of all pages that use it; one that no page uses is for everybody. */
export async function writeAssets({ parts, ofLeftOut, written, ...options }: WriteAssetsOptions): Promise<void> {
    const [{ plan }] = parts;
    for (const file of [...plan.targets.assets].filter((each) => !written.has(each))) {
        const users = parts.filter(({ writer }) => uses(writer, file));
        const isLinked = users.some(({ writer }) => writer.linkedAssets.has(file));
        const isForAll = plan.styles.includes(file) || (users.length === 0 && !ofLeftOut.has(file));
        if ((plan.onlyWhenLinked.has(file) && !isLinked) || (users.length === 0 && !isForAll)) {
            continue;
        }
        const audience = isForAll ? undefined : users.map((part) => part.plan.audience).reduce(unionOf);
        await options.outputFor(audience).copy(file, plan.content.open(file));
        await options.yieldToEventLoop();
    }
}

function uses({ linkedAssets, importedFiles }: PageWriter, file: string): boolean {
    return linkedAssets.has(file) || importedFiles.has(file);
}

/**
 * The files of the site that pages link to or import. The pages are rendered for that and written nowhere: nothing else
 * knows what a component makes of its attributes.
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
 * The texts of the site's style sheets whose addresses do not hold as they are written.
 *
 * @param onAsset called with each file that one loads
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
        if (text !== source) {
            changed.set(file, text);
        }
    }
    return changed;
}
