import { feedFileOf, htmlFileOf, markdownFileOf } from "../../read/files/routes.js";
import { type PageAnchors } from "../../plan/links/anchor-check.js";
import { type SitePage } from "../../plan/site-page.js";
import { type PageWork } from "../../plan/site-pages.js";
import { type SiteOutput, writeAll } from "../output/site-output.js";
import { type PageEffects } from "./page-effects.js";
import { type RecordedSearch, type WrittenFile } from "../search/site-search.js";
import { type SitePart } from "./site-part.js";

export interface NumberedPage {
    readonly page: SitePage;
    /** The page's position in the plan of its part. */
    readonly number: number;
}

/** The effects of a group of pages, apart from its files. */
export interface WrittenGroup {
    /** The body of each page for programs. */
    readonly texts: string[];
    readonly effects: PageEffects;
    readonly anchors: PageAnchors;
    /** The terms of the pages, for the search of each part of the site. */
    readonly search: readonly RecordedSearch[];
}

/** Writes neighbouring pages of a part, with their Markdown copies, their feeds and their texts for the search. */
export async function writePageGroup(
    numbered: readonly NumberedPage[],
    part: SitePart,
    parts: readonly SitePart[],
    { onPage, onDone, yieldToEventLoop }: Omit<PageWork, "fingerprint"> & { readonly onDone: () => void },
): Promise<WrittenGroup> {
    const [texts, effects, anchors] = await part.writer.recordEffects(async () => {
        const all: string[] = [];
        const waiting = new WaitingFiles();
        for (const { page, number } of numbered) {
            onPage?.(page.file);
            const { text, files } = await writeSitePage(page, number, part, parts);
            all.push(text);
            await waiting.add(files);
            onDone();
            await yieldToEventLoop();
        }
        await waiting.write();
        return all;
    });
    return { texts, effects, anchors, search: parts.map(({ search }) => search?.takeTerms() ?? []) };
}

type FilesOfPage = readonly [output: SiteOutput, files: readonly WrittenFile[]];

/** The limit for files that wait in memory, which only pages of far more than average length reach. */
const maxWaitingCharacters = 6_000_000;

/**
 * Files next to pages, which are written after the pages of a group, so that similar files are next to each other: the
 * compressor remembers only 32 kB.
 */
class WaitingFiles {
    #files: FilesOfPage[] = [];
    #characters = 0;

    async add(added: readonly FilesOfPage[]): Promise<void> {
        this.#files.push(...added);
        this.#characters += added.flatMap(([, files]) => files).reduce((sum, [, content]) => sum + content.length, 0);
        if (this.#characters > maxWaitingCharacters) {
            await this.write();
        }
    }

    async write(): Promise<void> {
        const files = this.#files;
        [this.#files, this.#characters] = [[], 0];
        for (const [output, ofPage] of files) {
            await writeAll(output, ofPage);
        }
    }
}

/** @returns the files next to the page, and its body for programs */
async function writeSitePage(
    page: SitePage,
    number: number,
    { plan, output, writer }: SitePart,
    parts: readonly SitePart[],
): Promise<{ readonly files: FilesOfPage[]; readonly text: string }> {
    const { route, title, meta } = page;
    const { html, markdown, text, sections, description, isSearched, feed } = await writer.write(page, number);
    const address = htmlFileOf(route);
    const feedFile = feedFileOf(route);
    const own: WrittenFile[] = [
        [markdownFileOf(route), markdown],
        ...(feed === undefined || plan.targets.assets.has(feedFile) ? [] : [[feedFile, feed] as const]),
    ];
    const files: FilesOfPage[] = [[output, own]];
    for (const { search, numbers, writer: searcher, output: ofSearch } of isSearched ? parts : []) {
        const place = numbers.get(route);
        if (search !== undefined && place !== undefined) {
            const scope = searcher.frame.searchScopes.numberOf(route);
            const searched = { number: place, scope, address, title, keywords: meta.keywords ?? [], description };
            files.push([ofSearch, search.addPage(searched, sections)]);
        }
    }
    await output.write(address, html);
    return { files, text };
}
