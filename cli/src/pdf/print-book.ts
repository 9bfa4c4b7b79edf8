import { UsageError } from "../command-line/usage-error.js";
import { type BookPart, bookParts, contentsHtml, type ContentsEntry, partHtml } from "./book.js";
import { type ChromiumPrinter } from "./chromium-printer.js";
import { mergeParts, type PrintedPart } from "./merge-parts.js";
import { type PageFile, type SiteFolder } from "./site-folder.js";

interface BookOptions {
    readonly printer: ChromiumPrinter;
    readonly title: string;
    /** Whether the book begins with a list of its pages. */
    readonly withContents: boolean;
    /** @param pageCount the number of printed pages */
    readonly onProgress: (pageCount: number) => void;
    readonly signal: AbortSignal;
    /** The maximum length of HTML that is printed as one document. */
    readonly maxPartCharacters?: number;
}

/**
 * Prints the pages as one PDF. Prints a small site as one document, with structure for screen readers. Prints a large
 * site in parts, to limit the browser's memory; joining the parts loses the structure.
 */
export async function printBook(
    site: SiteFolder,
    pages: readonly PageFile[],
    { printer, title, withContents, onProgress, signal, maxPartCharacters }: BookOptions,
): Promise<Uint8Array> {
    const entries: ContentsEntry[] = [];
    const read = bookParts(site, pages, maxPartCharacters);
    const next = async (): Promise<BookPart | undefined> => {
        const { value } = (await read.next()) as { value: BookPart | undefined };
        value?.sections.forEach(({ number, title, group }) => entries.push({ number, title, group }));
        return value;
    };
    const contents = (isApart: boolean) => (withContents ? contentsHtml(entries, { title, isApart }) : "");
    const [first, second] = [await next(), await next()];
    if (first === undefined) {
        throw new UsageError("The site's pages cannot be read: export it again.");
    }
    if (second === undefined) {
        onProgress(0);
        return printer.print(partHtml(first, { title, contents: contents(false) }), { isWhole: true });
    }
    const printed: PrintedPart[] = [];
    for (let part: BookPart | undefined = first; part !== undefined; part = part === first ? second : await next()) {
        signal.throwIfAborted();
        onProgress(part.first - 1);
        const pdf = await printer.print(partHtml(part, { title }), { isWhole: false });
        printed.push({ pdf, headings: part.sections.flatMap(({ headings }) => headings) });
    }
    const language = first.sections[0]?.language ?? "en";
    if (withContents) {
        // The list of pages has the styles of the first page.
        const sections = first.sections
            .slice(0, 1)
            .map((section) => ({ ...section, html: "", headings: [], hasDiagram: false }));
        const html = partHtml({ first: 0, sections }, { title, contents: contents(true) });
        printed.unshift({ pdf: await printer.print(html, { isWhole: false }), headings: [] });
    }
    return mergeParts(printed, { title, language }, signal);
}
