import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Change, type Corpus, headingOf, sectionsOfAPage } from "./corpus.js";

/** @throws Error when a page is missing, lacks its own headings, or has code without highlighting */
export async function checkOutput(outDir: string, corpus: Corpus): Promise<void> {
    for (const [page, route] of corpus.routes.entries()) {
        const html = await readPage(outDir, route);
        for (const section of [0, sectionsOfAPage - 1]) {
            const heading = headingOf(page, section);
            const isThere = new RegExp(`<h2[^>]*>\\s*${heading}\\b`).test(html);
            if (!isThere) {
                throw new Error(`${route}: there is no heading "${heading}"`);
            }
        }
        if (coloursOf(html) < 3) {
            throw new Error(`${route}: its code is not highlighted`);
        }
    }
}

/** @throws Error when a page lacks the sentence that was added to it */
export async function checkChange(outDir: string, { route, sentence }: Change): Promise<void> {
    if (!(await readPage(outDir, route)).includes(sentence)) {
        throw new Error(`${route}: the change is missing`);
    }
}

/** Counts the kinds of tokens in the first code block, by class or by style. */
function coloursOf(html: string): number {
    const block = /<pre[^>]*>.*?<\/pre>/s.exec(html)?.[0] ?? "";
    return new Set(Array.from(block.matchAll(/<span[^>]* (?:class|style)="([^"]*)"/g), ([, kind]) => kind)).size;
}

/** Reads a page, which builders write as `page.html` or as `page/index.html`. */
async function readPage(outDir: string, route: string): Promise<string> {
    try {
        return await readFile(join(outDir, `${route}.html`), "utf8");
    } catch {
        return readFile(join(outDir, route, "index.html"), "utf8");
    }
}
