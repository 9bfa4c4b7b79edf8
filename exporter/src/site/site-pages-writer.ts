import { createHash } from "node:crypto";
import { feedFileOf, htmlFileOf, markdownFileOf } from "../files/routes.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type SiteSearch } from "../search/site-search.js";
import { agentInstructions, markdownCopy } from "../generated/markdown-copies.js";
import { type PageWriter } from "./page-writer.js";
import { type SiteOutput } from "../output/site-output.js";

/** How many pages form a part. Larger parts compress better; smaller parts leave less to write again after a change. */
const pagesOfAPart = 32;

export interface WriteSitePagesOptions {
    readonly plan: SitePlan;
    readonly output: SiteOutput;
    readonly writer: PageWriter;
    /** What all pages are rendered from, in addition to their own sources. */
    readonly frameKey: string;
    /** Undefined for an export without search. */
    readonly search: SiteSearch | undefined;
    readonly yieldToEventLoop: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
    readonly onPagesDone: (count: number) => void;
}

/** Writes all pages, their Markdown copies and the files of the search, part by part; parts that are unchanged are taken over. */
export async function writeSitePages(options: WriteSitePagesOptions): Promise<void> {
    const { plan, output, writer, frameKey, search, onPage, onPagesDone, yieldToEventLoop } = options;
    const { pages } = plan;
    const { parts } = output;
    for (let start = 0; start < pages.length; start += pagesOfAPart) {
        const part = pages.slice(start, start + pagesOfAPart);
        const key = parts === undefined ? "" : keyOf(frameKey, part);
        const facts = await parts?.reuse(key, (facts) => writer.isCurrent(facts));
        if (facts === undefined) {
            await parts?.begin();
            writer.startPart();
            await writePart(part, start, options);
            const terms = search?.endPart() ?? [];
            await parts?.end(key, writer.partFacts(terms));
        } else {
            writer.takeOver(part, facts);
            search?.takeOver(facts.search);
            onPagesDone(start + part.length);
        }
        await yieldToEventLoop();
    }
    onPage?.(undefined);
    for await (const [file, content] of search?.files(writer.searchScopes.all) ?? []) {
        await output.write(file, content);
        await yieldToEventLoop();
    }
}

async function writePart(
    part: readonly SitePage[],
    start: number,
    { plan, output, writer, search, yieldToEventLoop, onPage, onPagesDone }: WriteSitePagesOptions,
): Promise<void> {
    for (const [at, page] of part.entries()) {
        onPage?.(page.file);
        const { html, sections, description, isSearched, feed } = await writer.write(page, start + at);
        const searched = {
            number: start + at,
            scope: writer.searchScopes.numberOf(page.route),
            address: htmlFileOf(page.route),
            title: page.title,
            keywords: page.meta.keywords ?? [],
            description,
        };
        for (const [file, content] of isSearched ? (search?.addPage(searched, sections) ?? []) : []) {
            await output.write(file, content);
        }
        await output.write(htmlFileOf(page.route), html);
        if (page.hasSource) {
            await output.write(markdownFileOf(page.route), copyOf(page, plan));
        }
        if (feed !== undefined && !plan.targets.assets.has(feedFileOf(page.route))) {
            await output.write(feedFileOf(page.route), feed);
        }
        onPagesDone(start + at + 1);
        await yieldToEventLoop();
    }
}

function copyOf(page: SitePage, { settings }: SitePlan): string {
    const instructions = agentInstructions(settings);
    return instructions === "" ? markdownCopy(page) : `${markdownCopy(page)}\n${instructions}`;
}

function keyOf(frameKey: string, part: readonly SitePage[]): string {
    const hash = createHash("sha256").update(frameKey);
    part.forEach(({ cacheKey }) => hash.update(cacheKey));
    return hash.digest("base64url");
}
