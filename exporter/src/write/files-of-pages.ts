import { AnchorCheck } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { WarningLog } from "../problems/warnings.js";
import { withEngine } from "../render/script/engine.js";
import { PageWriter, type PageWriterOptions } from "./page-writer.js";

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
