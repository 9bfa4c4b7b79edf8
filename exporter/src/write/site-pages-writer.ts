import { pagesOfAGroup } from "@pulumi-static-export/contract/search";
import { feedFileOf, htmlFileOf, markdownFileOf } from "../read/files/routes.js";
import { type SiteOutput, writeAll } from "./output/site-output.js";
import { type SitePage } from "../plan/site-page.js";
import { type PageWork } from "../plan/site-pages.js";
import { chunksOf } from "../text/chunks.js";
import { type AgentFiles } from "./agents/agent-files.js";
import { type GroupRecord, type PageGroups } from "./page-groups.js";
import { type SitePart } from "./site-part.js";
import { type WrittenFile } from "./search/site-search.js";

export interface SitePagesOptions {
    readonly parts: readonly SitePart[];
    /** Receives the pages that everybody may read. */
    readonly agentFiles: AgentFiles;
    /** The groups of pages in the archive; undefined for an export to a folder. */
    readonly groups: PageGroups | undefined;
    readonly work: PageWork;
    /** Called after each page. */
    readonly onDone: (pages: number) => void;
}

interface NumberedPage {
    readonly page: SitePage;
    readonly number: number;
}

/** Writes all pages, their Markdown copies and feeds, the files of the search, and the files of long lists. */
export async function writeSitePages(options: SitePagesOptions): Promise<void> {
    const { parts, work } = options;
    let count = 0;
    for (const part of parts) {
        const own = part.plan.pages.filter(({ route }) => part.plan.own.has(route));
        for (const pages of chunksOf(own, pagesOfAGroup)) {
            const numbered = pages.map((page) => ({ page, number: part.numbers.get(page.route) ?? 0 }));
            const { texts, effects } = await writeGroup(numbered, part, options, () => options.onDone(++count));
            await options.agentFiles.add(pages, texts, effects.imports.flat());
            await work.yieldToEventLoop();
        }
    }
    work.onPage?.(undefined);
    for (const { search, writer, output } of parts) {
        for await (const [file, content] of search?.files(writer.frame.searchScopes.all) ?? []) {
            await output.write(file, content);
            await work.yieldToEventLoop();
        }
        for (const [file, content] of writer.listFiles()) {
            await output.write(file, content);
            await work.yieldToEventLoop();
        }
    }
}

function writeGroup(
    numbered: readonly NumberedPage[],
    part: SitePart,
    { parts, agentFiles, groups, work }: SitePagesOptions,
    onDone: () => void,
): Promise<GroupRecord> {
    const pages = numbered.map(({ page }) => page);
    const reuse = ({ effects, anchors, search }: GroupRecord): boolean => {
        const isCurrent = part.writer.reuse(pages, effects, anchors);
        if (isCurrent) {
            part.search?.addRecorded(search);
            pages.forEach(onDone);
        }
        return isCurrent;
    };
    const write = async (): Promise<GroupRecord> => {
        const [texts, effects, anchors] = await part.writer.recordEffects(async () => {
            const all: string[] = [];
            const waiting = new WaitingFiles();
            for (const { page, number } of numbered) {
                work.onPage?.(page.file);
                const { text, files } = await writeSitePage(page, number, part, parts);
                // The files for programs contain only pages that everybody may read.
                all.push(part === parts[0] ? agentFiles.textOf(page, text) : "");
                await waiting.add(files);
                onDone();
                await work.yieldToEventLoop();
            }
            await waiting.write();
            return all;
        });
        return {
            effects,
            anchors,
            // A group is stored only if the site has one part.
            search: parts.flatMap(({ search }) => search?.record() ?? []),
            texts: { bytes: texts.map((text) => Buffer.byteLength(text)), read: () => texts },
        };
    };
    return groups === undefined ? write() : groups.add(pages, reuse, write);
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
