import { feedFileOf, htmlFileOf, markdownFileOf } from "../files/routes.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { agentInstructions, markdownCopy } from "../generated/markdown-copies.js";
import { type SitePart } from "./site-part.js";

export interface WriteSitePagesOptions {
    readonly parts: readonly SitePart[];
    readonly yieldToEventLoop: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
    readonly onPageDone: (count: number) => void;
}

/** Writes all pages, their Markdown copies and feeds, and the files of the search. */
export async function writeSitePages({
    parts,
    onPage,
    onPageDone,
    yieldToEventLoop,
}: WriteSitePagesOptions): Promise<void> {
    let count = 0;
    for (const part of parts) {
        for (const [number, page] of part.plan.pages.entries()) {
            if (part.plan.own.has(page.route)) {
                onPage?.(page.file);
                await writeSitePage(page, number, part, parts);
                onPageDone(++count);
                await yieldToEventLoop();
            }
        }
    }
    onPage?.(undefined);
    for (const { search, writer, output } of parts) {
        for await (const [file, content] of search?.files(writer.searchScopes.all) ?? []) {
            await output.write(file, content);
            await yieldToEventLoop();
        }
    }
}

async function writeSitePage(
    page: SitePage,
    number: number,
    { plan, output, writer }: SitePart,
    parts: readonly SitePart[],
): Promise<void> {
    const { route, title, meta } = page;
    const { html, sections, description, isSearched, feed } = await writer.write(page, number);
    const address = htmlFileOf(route);
    for (const { search, numbers, writer: searcher, output: ofSearch } of isSearched ? parts : []) {
        const place = numbers.get(route);
        if (search !== undefined && place !== undefined) {
            const scope = searcher.searchScopes.numberOf(route);
            const searched = { number: place, scope, address, title, keywords: meta.keywords ?? [], description };
            for (const [file, content] of search.addPage(searched, sections)) {
                await ofSearch.write(file, content);
            }
        }
    }
    await output.write(address, html);
    if (page.hasSource) {
        await output.write(markdownFileOf(route), copyOf(page, plan));
    }
    const feedFile = feedFileOf(route);
    if (feed !== undefined && !plan.targets.assets.has(feedFile)) {
        await output.write(feedFile, feed);
    }
}

function copyOf(page: SitePage, { settings }: SitePlan): string {
    const instructions = agentInstructions(settings);
    return instructions === "" ? markdownCopy(page) : `${markdownCopy(page)}\n${instructions}`;
}
