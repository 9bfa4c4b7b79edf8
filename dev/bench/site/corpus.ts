import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeBlocks } from "./corpus-code.js";

const pagesOfAGroup = 40;
/** Indexes from 0. */
export const sectionsOfAPage = 8;

const sentences = [
    "The service keeps **what it was told** and answers from there, so that a restart costs nobody a second request.",
    "Where two settings disagree the narrower one counts, and the log says _which one_ was left aside and why.",
    "A request that takes longer than its `timeout` is given up, but what it has stored until then stays.",
    "Nothing is deleted before its successor is complete; see https://example.com/reference for the order of steps.",
    "Values are read once at the start: to change one, restart the process or send it `SIGHUP`.",
];

export interface Change {
    readonly route: string;
    /** The sentence that was added to the page. */
    readonly sentence: string;
}

/** A site that every builder accepts unchanged, in folders of 40 pages; `pageCount` includes the home page. */
export class Corpus {
    constructor(readonly pageCount: number) {}

    /** The paths of the pages, without extension and in order. */
    get routes(): string[] {
        return Array.from({ length: this.pageCount }, (_, page) => this.routeOf(page));
    }

    async write(folder: string): Promise<void> {
        for (let page = 0; page < this.pageCount; page++) {
            const file = this.fileIn(folder, page);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, this.textOf(page));
        }
    }

    /** Simulates an author's edit between two exports. */
    async changeOnePage(folder: string): Promise<Change> {
        const page = Math.floor(this.pageCount / 2);
        const sentence = "One more sentence, written after the first export.";
        await appendFile(this.fileIn(folder, page), `\n${sentence}\n`);
        return { route: this.routeOf(page), sentence };
    }

    private textOf(page: number): string {
        const sections = Array.from({ length: sectionsOfAPage }, (_, section) => this.section(page, section));
        const frontMatter = `---\ntitle: Page ${page}\ndescription: What there is to know about ${page}.\n---`;
        return `${[frontMatter, ...sections].join("\n\n")}\n`;
    }

    private section(page: number, section: number): string {
        const other = (page * 7 + section + 1) % this.pageCount;
        const sentence = (offset: number) => sentences[(page + section + offset) % sentences.length];
        const link = `[page ${other}](/${other === 0 ? "" : this.routeOf(other)}#section-1-of-page-${other})`;
        const example = codeBlocks[(page + section) % codeBlocks.length];
        const rows = [`| a${page} | \`string\` | ~~old~~ new |`, `| b | number | ${section} |`];
        const table = ["| Name | Type | Meaning |", "| --- | :-: | --: |", ...rows].join("\n");
        return [
            `## ${headingOf(page, section)}`,
            `${sentence(0)} ${sentence(1)} It is what ${link} builds on. ${sentence(2)}`,
            `- one \`inline\` value\n- two, of which\n    - the first is ${page}\n    - the second is not`,
            section % 2 === 0 ? example?.(page) : table,
        ].join("\n\n");
    }

    private routeOf(page: number): string {
        return page === 0 ? "index" : `group-${Math.floor(page / pagesOfAGroup)}/page-${page}`;
    }

    private fileIn(folder: string, page: number): string {
        return join(folder, `${this.routeOf(page)}.md`);
    }
}

/** Returns a heading's text, which no other heading repeats. */
export function headingOf(page: number, section: number): string {
    return `Section ${section} of page ${page}`;
}
