import { cutPlace } from "@pulumi-static-export/contract";
import { Type } from "typebox";
import { type Reader } from "./readers-rules.js";
import { type ExportedSite } from "./exported-site.js";
import { titleOf } from "./page-path.js";
import { type SearchRequest, type SiteHit, NoSearchError, UnknownDivisionError } from "./search-site.js";

/** How much of a page one answer may contain: long text is expensive, and models understand it less well. */
const maxCharacters = 40_000;

/** The tools for a site that models use, through MCP and in the assistant. */
export const siteTools = {
    search: {
        description:
            "Finds sections of the documentation. The best match comes first, each with its path and an excerpt.",
        input: Type.Object({
            query: Type.String({ minLength: 1, maxLength: 500, description: "A few words, as for a search engine." }),
            language: Type.Optional(
                Type.String({ maxLength: 20, description: "The code of the language to search, such as fr." }),
            ),
            version: Type.Optional(Type.String({ maxLength: 100, description: "The only version to search." })),
        }),
    },
    read: {
        description: "A page of the documentation as Markdown. A long page comes in parts.",
        input: Type.Object({
            path: Type.String({
                minLength: 1,
                maxLength: 1000,
                description: "The page's path, such as /guides/start.",
            }),
            offset: Type.Optional(Type.Integer({ minimum: 0, description: "Continue a long page at this character." })),
        }),
    },
};

/** Text for a model, and the pages that it comes from. */
export interface Reading {
    readonly text: string;
    /** The paths and titles of the pages; empty if nothing was found. */
    readonly pages: readonly { readonly path: string; readonly title: string }[];
}

/** The hits of a search, formatted for a model. */
export async function readHits(site: ExportedSite, request: SearchRequest, reader?: Reader): Promise<Reading> {
    let hits: SiteHit[];
    try {
        hits = await site.search(request, reader);
    } catch (error) {
        if (error instanceof UnknownDivisionError || error instanceof NoSearchError) {
            return { text: error.message, pages: [] };
        }
        throw error;
    }
    const texts = hits.map((hit) => `${nameOf(hit)}\n${hit.path}\n${hit.excerpt}`);
    return {
        text: texts.length > 0 ? texts.join("\n\n") : "Nothing found. Try fewer or other words.",
        pages: hits.map(({ path, title }) => ({ path: path.replace(/#.*/, ""), title })),
    };
}

/** A page, or the part of a long page that begins at a given character. */
export async function readPart(site: ExportedSite, path: string, offset: number, reader?: Reader): Promise<Reading> {
    const page = await site.page(path, reader);
    if (page === undefined) {
        return { text: `There is no page ${path}.`, pages: [] };
    }
    const { length } = page.markdown;
    if (offset > 0 && offset >= length) {
        const text = `The page ends before offset ${offset}: it has ${length} characters.`;
        return { text, pages: [{ path: page.path, title: titleOf(page.markdown) ?? page.path }] };
    }
    const start = cutPlace(page.markdown, offset);
    const end = cutPlace(page.markdown, start + maxCharacters);
    const rest = page.markdown.length - end;
    const more = rest > 0 ? `\n\n(${rest} more characters: continue with offset ${end}.)` : "";
    const title = titleOf(page.markdown) ?? page.path;
    return { text: `${page.markdown.slice(start, end)}${more}`, pages: [{ path: page.path, title }] };
}

function nameOf({ title, heading }: SiteHit): string {
    return heading === "" || heading === title ? title : `${title} – ${heading}`;
}
