import { crc32 } from "node:zlib";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { canonicalUrl, siteUrl } from "../../read/files/routes.js";
import { agentInstructions, markdownCopy } from "./page-markdown.js";

/** The maximum size of a file; programs cannot read more in one step. */
const maxPartBytes = 2_000_000;

/** The average number of pages between those that always may begin a file. */
const meanPages = 64;

interface Part {
    readonly file: string;
    readonly first: string;
    readonly last: string;
}

/** The text of each page for programs, in the order of the pages. */
export interface PageTexts {
    /** The length of each page's text; 0 for a page that programs may not list. */
    readonly bytes: readonly number[];
    readonly read: () => readonly string[];
}

/** The part of a page in the file. */
interface PageText {
    readonly route: string;
    readonly title: string;
    /** Names of everything that the text depends on. */
    readonly names: readonly string[];
    readonly text: () => string;
}

/** Writes a file, unless an earlier archive contains it. @param names of everything that the file's text depends on */
export type WritePart = (file: string, names: readonly string[], text: () => string) => Promise<void>;

/**
 * Writes the Markdown of all pages into one file, or into several files with a list of the files in the first. Only one
 * part is in memory at a time.
 */
export class LlmsFull {
    #pages: (PageText & { readonly bytes: number })[] = [];
    #bytes = 0;
    readonly #parts: Part[] = [];
    readonly #routes: ReadonlySet<string>;

    /** @param pages the pages that programs may list */
    constructor(
        private readonly plan: SitePlan,
        pages: readonly SitePage[],
        private readonly siteName: string,
        private readonly writePart: WritePart,
    ) {
        this.#routes = new Set(pages.map(({ route }) => route));
    }

    /** Returns the text of a page, with its body for programs; empty if programs may not list the page. */
    textOf(page: SitePage, body: string): string {
        return this.#routes.has(page.route)
            ? markdownCopy(page, body, this.plan.targets, {
                  after: `Source: ${canonicalUrl(this.plan.targets, page.route)}`,
              })
            : "";
    }

    /** Adds the text of a page; call it in reading order. */
    async add(page: PageText, textBytes: number): Promise<void> {
        const bytes = textBytes + 1;
        while (this.#pages.length > 0 && this.#bytes + bytes > maxPartBytes) {
            await this.#writePart(this.#pagesOfAPart());
        }
        this.#pages.push({ ...page, bytes });
        this.#bytes += bytes;
    }

    /**
     * The number of pages in a full file. The next file begins at a page whose address has a certain checksum, so that
     * a longer page does not move the beginnings of all later files.
     */
    #pagesOfAPart(): number {
        let [count, before] = [this.#pages.length, 0];
        for (const [at, { route, bytes }] of this.#pages.entries()) {
            if (before >= maxPartBytes / 2 && crc32(route) % meanPages === 0) {
                count = at;
            }
            before += bytes;
        }
        return count;
    }

    /** @returns the text of the first file */
    async finish(): Promise<string> {
        const { settings, targets } = this.plan;
        const head = [`# ${this.siteName.replace(/\s+/g, " ").trim()}\n`, agentInstructions(settings)].filter(
            (part) => part !== "",
        );
        if (this.#parts.length === 0) {
            return [...head, ...this.#pages.map(({ text }) => text())].join("\n");
        }
        await this.#writePart(this.#pages.length);
        const links = this.#parts.map(({ file, first, last }) => `- [${first} – ${last}](${siteUrl(targets, file)})\n`);
        return [...head, `The pages of this site are in ${links.length} files:\n`, links.join("")].join("\n");
    }

    async #writePart(count: number): Promise<void> {
        const pages = this.#pages.slice(0, count);
        const [first = "", last = ""] = [pages[0]?.title, pages.at(-1)?.title];
        const file = `llms-full-${this.#parts.length + 1}.txt`;
        const names = [file, ...pages.flatMap((page) => page.names)];
        await this.writePart(file, names, () => pages.map(({ text }) => text()).join("\n"));
        this.#parts.push({ file, first: withoutBrackets(first), last: withoutBrackets(last) });
        this.#pages = this.#pages.slice(count);
        this.#bytes = this.#pages.reduce((sum, { bytes }) => sum + bytes, 0);
    }
}

function withoutBrackets(title: string): string {
    return title.replace(/[[\]]/g, "").replace(/\s+/g, " ");
}
