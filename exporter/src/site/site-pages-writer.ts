import { feedFileOf, htmlFileOf, markdownFileOf } from "../files/routes.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type SiteSearch } from "../search/site-search.js";
import { agentInstructions, markdownCopy } from "../generated/markdown-copies.js";
import { type PageWriter } from "./page-writer.js";
import { type SiteOutput } from "../output/site-output.js";

export interface WriteSitePagesOptions {
    readonly plan: SitePlan;
    readonly output: SiteOutput;
    readonly writer: PageWriter;
    /** Undefined for an export without search. */
    readonly search: SiteSearch | undefined;
    readonly yieldToEventLoop: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
    readonly onPageDone: (count: number) => void;
}

/** Writes all pages, their Markdown copies and feeds, and the files of the search. */
export async function writeSitePages(options: WriteSitePagesOptions): Promise<void> {
    const { plan, output, writer, search, onPage, onPageDone, yieldToEventLoop } = options;
    for (const [number, page] of plan.pages.entries()) {
        onPage?.(page.file);
        await writeSitePage(page, number, options);
        onPageDone(number + 1);
        await yieldToEventLoop();
    }
    onPage?.(undefined);
    for await (const [file, content] of search?.files(writer.searchScopes.all) ?? []) {
        await output.write(file, content);
        await yieldToEventLoop();
    }
}

async function writeSitePage(
    page: SitePage,
    number: number,
    { plan, output, writer, search }: WriteSitePagesOptions,
): Promise<void> {
    const { html, sections, description, isSearched, feed } = await writer.write(page, number);
    const address = htmlFileOf(page.route);
    if (isSearched && search !== undefined) {
        const { title, meta } = page;
        const scope = writer.searchScopes.numberOf(page.route);
        const searched = { number, scope, address, title, keywords: meta.keywords ?? [], description };
        for (const [file, content] of search.addPage(searched, sections)) {
            await output.write(file, content);
        }
    }
    await output.write(address, html);
    if (page.hasSource) {
        await output.write(markdownFileOf(page.route), copyOf(page, plan));
    }
    const feedFile = feedFileOf(page.route);
    if (feed !== undefined && !plan.targets.assets.has(feedFile)) {
        await output.write(feedFile, feed);
    }
}

function copyOf(page: SitePage, { settings }: SitePlan): string {
    const instructions = agentInstructions(settings);
    return instructions === "" ? markdownCopy(page) : `${markdownCopy(page)}\n${instructions}`;
}
