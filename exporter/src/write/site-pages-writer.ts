import { feedFileOf, htmlFileOf, markdownFileOf } from "../read/files/routes.js";
import { writeAll } from "./output/site-output.js";
import { type SitePage } from "../plan/site-page.js";
import { type PageWork } from "../plan/site-pages.js";
import { type AgentFiles } from "./agents/agent-files.js";
import { type SitePart } from "./site-part.js";
import { type WrittenFile } from "./search/site-search.js";

/** All pages are written before other files: pages are similar, and the archive's compressor looks back only 32 kB. */
const filesAtOnce = 32;

/**
 * Writes all pages, their Markdown copies and feeds, the files of the search, and those of long lists.
 *
 * @param agentFiles receive the pages that everybody may read
 * @param onDone called after each page
 */
export async function writeSitePages(
    parts: readonly SitePart[],
    agentFiles: AgentFiles,
    { onPage, yieldToEventLoop }: PageWork,
    onDone: (pages: number) => void,
): Promise<void> {
    let count = 0;
    for (const [at, part] of parts.entries()) {
        let waiting: WrittenFile[] = [];
        for (const [number, page] of part.plan.pages.entries()) {
            if (part.plan.own.has(page.route)) {
                onPage?.(page.file);
                waiting.push(...(await writeSitePage(page, number, part, parts, at === 0 ? agentFiles : undefined)));
                if (waiting.length >= filesAtOnce) {
                    await writeAll(part.output, waiting);
                    waiting = [];
                }
                onDone(++count);
                await yieldToEventLoop();
            }
        }
        await writeAll(part.output, waiting);
    }
    onPage?.(undefined);
    for (const { search, writer, output } of parts) {
        for await (const [file, content] of search?.files(writer.frame.searchScopes.all) ?? []) {
            await output.write(file, content);
            await yieldToEventLoop();
        }
        for (const [file, content] of writer.listFiles()) {
            await output.write(file, content);
            await yieldToEventLoop();
        }
    }
}

/** @returns the other files of the page */
async function writeSitePage(
    page: SitePage,
    number: number,
    { plan, output, writer }: SitePart,
    parts: readonly SitePart[],
    agentFiles: AgentFiles | undefined,
): Promise<WrittenFile[]> {
    const { route, title, meta } = page;
    const { html, markdown, text, sections, description, isSearched, feed } = await writer.write(page, number);
    const address = htmlFileOf(route);
    for (const { search, numbers, writer: searcher, output: ofSearch } of isSearched ? parts : []) {
        const place = numbers.get(route);
        if (search !== undefined && place !== undefined) {
            const scope = searcher.frame.searchScopes.numberOf(route);
            const searched = { number: place, scope, address, title, keywords: meta.keywords ?? [], description };
            await writeAll(ofSearch, search.addPage(searched, sections));
        }
    }
    await output.write(address, html);
    await agentFiles?.add(page, text);
    const feedFile = feedFileOf(route);
    return [
        [markdownFileOf(route), markdown],
        ...(feed === undefined || plan.targets.assets.has(feedFile) ? [] : [[feedFile, feed] as const]),
    ];
}
