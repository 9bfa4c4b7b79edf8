import { jsonSchema, type Schema, tool, type ToolSet } from "ai";
import { type Static, type TSchema } from "typebox";
import { type Reader } from "../site/readers-rules.js";
import { type ExportedSite } from "../site/exported-site.js";
import { type Reading, readHits, readPart, siteTools } from "../site/site-tools.js";

interface SiteToolsSettings {
    readonly site: ExportedSite;
    readonly reader: Reader | undefined;
    /** How many hits a search returns. */
    readonly pageSize: number;
    readonly filter: { readonly language?: string | undefined; readonly version?: string | undefined };
    /** Called with the pages that were found or read. */
    readonly onPages: (pages: Reading["pages"]) => void;
}

/** The tools of the assistant for one reader: they only read, and only from the site. */
export function createSiteTools({ site, reader, pageSize, filter, onPages }: SiteToolsSettings): ToolSet {
    const read = async (reading: Promise<Reading>): Promise<string> => {
        const { text, pages } = await reading;
        onPages(pages);
        return text;
    };
    // Checks the input leniently, because a model may not keep to the schema.
    return {
        search: tool({
            description: siteTools.search.description,
            inputSchema: inputOf(siteTools.search.input),
            execute: ({ query }) =>
                read(readHits(site, { query: String(query).slice(0, 500), max: pageSize, ...filter }, reader)),
        }),
        read_page: tool({
            description: siteTools.read.description,
            inputSchema: inputOf(siteTools.read.input),
            execute: ({ path, offset = 0 }) =>
                read(readPart(site, String(path), Math.max(0, Number(offset) || 0), reader)),
        }),
    };
}

function inputOf<T extends TSchema>(schema: T): Schema<Static<T>> {
    return jsonSchema<Static<T>>({ ...schema, additionalProperties: false });
}
