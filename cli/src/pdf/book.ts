import { trimTrailing } from "@pulumi-static-export/contract";
import { otherPages, type PrintedSection, printedSection, type PrintedSite } from "./printed-section.js";
import { type PageFile, type SiteFolder } from "./site-folder.js";

/** Pages that are printed together. */
export interface BookPart {
    /** The number of the part's first page in the book. */
    readonly first: number;
    readonly sections: readonly PrintedSection[];
}

export type ContentsEntry = Pick<PrintedSection, "number" | "title" | "group">;

/** The maximum length of a part's HTML: a browser prints it in about half a gigabyte of memory. */
const maxPartCharacters = 750_000;

const styles = `
.printed-page { break-before: page; }
.printed-page:first-child { break-before: auto; }
.contents ol { list-style: none; padding: 0; }
.contents p { margin-block: 1rem 0.25rem; font-weight: 600; }
.contents li { margin-block: 0.25rem; }
main { padding: 0 !important; }
`;

/** Yields the pages in parts, reading one part after the other. */
export async function* bookParts(
    site: SiteFolder,
    pages: readonly PageFile[],
    maxCharacters = maxPartCharacters,
): AsyncGenerator<BookPart> {
    const numbers = new Map(pages.map(({ file }, at) => [file, at + 1]));
    const links: PrintedSite = { numberOf: (file) => numbers.get(file), address: await addressOf(site) };
    let sections: PrintedSection[] = [];
    let [first, size] = [1, 0];
    for (const [at, { file }] of pages.entries()) {
        const html = await site.read(file);
        const section = html && printedSection(html.toString("utf8"), file, links);
        if (section === undefined) {
            continue;
        }
        if (sections.length > 0 && size + section.html.length > maxCharacters) {
            yield { first, sections };
            [sections, size, first] = [[], 0, at + 1];
        }
        sections.push(section);
        size += section.html.length;
    }
    if (sections.length > 0) {
        yield { first, sections };
    }
}

/** The base address of links to files that are not printed; undefined if the site has no public address. */
async function addressOf(site: SiteFolder): Promise<string | undefined> {
    const html = (await site.read("index.html"))?.toString("utf8") ?? "";
    const [, address = ""] = /<link rel="canonical" href="(https?:[^"&]+)">/.exec(html) ?? [];
    return address === "" || new URL(address).hostname === "localhost" ? undefined : `${trimTrailing(address, "/")}/`;
}

/**
 * The document that a browser prints. Links to pages of another part have an address that `mergeParts` replaces.
 *
 * @param contents additional HTML at its start
 */
export function partHtml(
    { first, sections }: BookPart,
    { title, contents = "" }: { title: string; contents?: string },
) {
    const last = first + sections.length - 1;
    const unique = (of: (section: PrintedSection) => readonly string[]) => [...new Set(sections.flatMap(of))];
    const sheets = unique((section) => section.sheets).map((href) => `<link rel="stylesheet" href="${escape(href)}">`);
    const ownStyles = unique((section) => section.styles).map((css) => `<style>${css}</style>`);
    const { language = "en", direction = "ltr" } = sections[0] ?? {};
    const body = sections
        .map(({ html }) => html)
        .join("")
        .replace(/href="http:\/\/pages\.invalid\/#p(\d+)/g, (link, number: string) =>
            Number(number) >= first && Number(number) <= last ? `href="#p${number}` : link,
        );
    const diagrams = sections.some(({ hasDiagram }) => hasDiagram)
        ? '<button class="theme-switch" hidden></button><script src="/static-export/diagrams.js"></script>'
        : "";
    // Adds links to all headings: other parts refer to them, and browsers omit places without a link from the PDF.
    const places = sections.flatMap(({ headings }) => headings.map(({ id }) => `<a href="#${escape(id)}"></a>`));
    return `<!doctype html>
<html lang="${escape(language)}" dir="${escape(direction)}" data-theme="light">
<head><meta charset="utf-8"><title>${escape(title)}</title>
${sheets.join("\n")}
${ownStyles.join("\n")}
<style>${styles}</style></head>
<body><div class="layout without-toc"><main>
${contents}${body}</main></div>
<nav hidden>${places.join("")}</nav>${diagrams}</body></html>
`;
}

/** The list of the pages, grouped as in the navigation. */
export function contentsHtml(
    entries: readonly ContentsEntry[],
    { title, isApart }: { title: string; isApart: boolean },
): string {
    let group = "";
    const items = entries.map((entry) => {
        const head = entry.group === group || entry.group === "" ? "" : `<li><p>${escape(entry.group)}</p></li>`;
        group = entry.group;
        return `${head}<li><a href="${isApart ? otherPages : ""}#p${entry.number}">${escape(entry.title)}</a></li>`;
    });
    return `<section class="printed-page contents"><h1>${escape(title)}</h1><ol>${items.join("\n")}</ol></section>\n`;
}

function escape(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
