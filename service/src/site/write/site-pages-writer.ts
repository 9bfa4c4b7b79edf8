import { createHash } from "node:crypto";
import { feedFileOf, htmlFileOf, markdownFileOf } from "../read/routes.js";
import { type SitePage } from "../plan/site-pages.js";
import { type SitePlan } from "../plan/site-plan.js";
import { markdownCopy } from "./markdown-copies.js";
import { type PageWriter } from "./page-writer.js";
import { searchDataEnd, searchDataStart, searchEntry } from "./search-data.js";
import { type PreparedText, type SiteOutput } from "./site-output.js";

/** How many pages form a part. Larger parts compress better; smaller parts leave less to write again after a change. */
const pagesOfAPart = 32;

export interface WriteSitePagesOptions {
    readonly plan: SitePlan;
    readonly output: SiteOutput;
    readonly writer: PageWriter;
    /** What all pages are made of besides their own sources. */
    readonly frameKey: string;
    /** Undefined for an export without search. */
    readonly searchFile: string | undefined;
    readonly breathe: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
    readonly onPagesDone: (count: number) => void;
}

/** Writes all pages, their Markdown copies and the search data, part by part; parts that are unchanged are taken over. */
export async function writeSitePages(options: WriteSitePagesOptions): Promise<void> {
    const { plan, output, writer, frameKey, onPage, onPagesDone, breathe } = options;
    const { pages } = plan;
    const { parts } = output;
    const search: PreparedText[] = [output.prepare(searchDataStart)];
    for (let start = 0; start < pages.length; start += pagesOfAPart) {
        const part = pages.slice(start, start + pagesOfAPart);
        const key = parts === undefined ? "" : keyOf(frameKey, part);
        const kept = await parts?.reuse(key, (facts) => writer.isCurrent(facts));
        if (kept === undefined) {
            await parts?.begin();
            writer.startPart();
            const text = await writePart(part, start, options);
            const prepared = output.prepare(text);
            search.push(prepared);
            await parts?.end(key, prepared, writer.partFacts());
        } else {
            writer.takeOver(part, kept.facts);
            search.push(kept.search);
            onPagesDone(start + part.length);
        }
        await breathe();
    }
    onPage?.(undefined);
    if (options.searchFile !== undefined) {
        search.push(output.prepare(searchDataEnd));
        await output.writePrepared(options.searchFile, search);
    }
}

async function writePart(
    part: readonly SitePage[],
    start: number,
    { plan, output, writer, breathe, onPage, onPagesDone }: WriteSitePagesOptions,
): Promise<string> {
    let search = "";
    for (const [at, page] of part.entries()) {
        onPage?.(page.file);
        const { html, sections, isHidden, feed } = writer.write(page, start + at);
        if (!isHidden) {
            search += searchEntry({
                route: page.route,
                title: page.title,
                description: page.meta.description,
                sections,
            });
        }
        await output.write(htmlFileOf(page.route), html);
        if (page.source !== "") {
            await output.write(markdownFileOf(page.route), markdownCopy(page));
        }
        if (feed !== undefined && !plan.targets.assets.has(feedFileOf(page.route))) {
            await output.write(feedFileOf(page.route), feed);
        }
        onPagesDone(start + at + 1);
        await breathe();
    }
    return search;
}

function keyOf(frameKey: string, part: readonly SitePage[]): string {
    const hash = createHash("sha256").update(frameKey);
    part.forEach(({ cacheKey }) => hash.update(cacheKey));
    return hash.digest("base64url");
}
