import { type RenderedBody } from "../../html/rendered-body.js";
import { type TocEntry } from "../../html/headings.js";
import { type Lead, textOfMarkdown } from "../../html/lead.js";
import { plainTextOfHtml } from "../../text/html-text.js";
import { type SearchSection } from "../../text/search-text.js";
import { word } from "../../words/words.js";
import { type Json } from "../documents/references.js";
import { type SchemaView } from "./schema-fields.js";

/** The sections of a page that is generated from a document, for its table of contents and for the search. */
export class ApiSections {
    readonly toc: TocEntry[] = [];
    /** The sections with their HTML, and with their content that is elsewhere on the page. */
    readonly #written: { id: string; heading: string; head: string; html: string; elsewhere: string }[] = [];

    /** @param view renders the content */
    constructor(private readonly view: SchemaView) {}

    /**
     * Adds a section.
     *
     * @returns the section as HTML; empty without content
     * @param elsewhere the part of the section that is shown elsewhere on the page; the search includes it
     */
    add(name: string, title: string, content: string, elsewhere = ""): string {
        if (content === "") {
            return "";
        }
        const id = `api-${name}`;
        this.toc.push({ id, text: title, depth: 2 });
        const head = `<h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="${word("linkToSection")}: ${title}">#</a></h2>`;
        const html = head + content;
        this.#written.push({ id, heading: title, head, html, elsewhere });
        return html;
    }

    /** Puts the sections into their page. */
    inPage(body: RenderedBody, { about, description, html, beside }: ApiPageParts): RenderedBody {
        const besideHtml = (body.beside?.html ?? "") + beside;
        const completed = new Map(html.map((part) => [part, this.view.complete(part)]));
        const found = this.#written.map(({ id, heading, head, html: part, elsewhere }): SearchSection => {
            const content = completed.get(part)?.slice(head.length) ?? "";
            return { id, heading, text: plainTextOfHtml(`${content} ${elsewhere}`) };
        });
        return {
            ...body,
            ...(body.lead && { lead: shownOnce(body.lead, description) }),
            html: html.map((part) => completed.get(part)).join("\n"),
            beside: besideHtml === "" ? undefined : { html: besideHtml, at: about.length },
            toc: [...body.toc, ...this.toc],
            sections: [...body.sections, ...found],
        };
    }
}

/** The parts of a page that is generated from a document. */
interface ApiPageParts {
    /** The content above the examples, which are shown next to the text. */
    readonly about: string;
    readonly description: string | undefined;
    /** The content, which begins with `about`. */
    readonly html: readonly string[];
    /** HTML that is added to the page's own content next to the text. */
    readonly beside: string;
}

/** The mark next to the address or name of a deprecated part. */
export function deprecationOf({ deprecated }: Json): string {
    return deprecated === true ? ` <span class="badge orange">${word("deprecated")}</span>` : "";
}

/** Code blocks next to the text. */
export function exampleGroup(of: "Request" | "Response" | "Message", blocks: readonly string[]): string {
    const start = `<div class="example" data-of="${of.toLowerCase()}" role="group" aria-label="${of} example">`;
    return blocks.length === 0 ? "" : `${start}${inTabs(blocks)}</div>`;
}

/** Code blocks that are shown one at a time. */
export function inTabs(blocks: readonly string[]): string {
    return blocks.length < 2 ? blocks.join("") : `<div class="tabs code-tabs" data-sync>${blocks.join("")}</div>`;
}

/** A page that begins with the document's description shows this description only once. */
function shownOnce(lead: Lead, description: string | undefined): Lead {
    const isSaidBelow = description !== undefined && textOfMarkdown(description).startsWith(lead.text);
    return isSaidBelow ? { ...lead, html: "" } : lead;
}
