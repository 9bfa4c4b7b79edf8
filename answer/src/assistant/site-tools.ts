import { jsonSchema, tool, type ToolSet } from "ai";
import { type Reader } from "../site/readers-rules.js";
import { type ExportedSite } from "../site/exported-site.js";
import { type Reading, readHits, readPart, toolTexts } from "../site/reading.js";

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
    return {
        search: tool({
            description: toolTexts.search.description,
            inputSchema: jsonSchema<{ query: string }>({
                type: "object",
                properties: { query: { type: "string", description: toolTexts.search.query } },
                required: ["query"],
                additionalProperties: false,
            }),
            execute: ({ query }) =>
                read(readHits(site, { query: String(query).slice(0, 500), max: pageSize, ...filter }, reader)),
        }),
        read_page: tool({
            description: toolTexts.read.description,
            inputSchema: jsonSchema<{ path: string; offset?: number }>({
                type: "object",
                properties: {
                    path: { type: "string", description: toolTexts.read.path },
                    offset: { type: "integer", minimum: 0, description: toolTexts.read.offset },
                },
                required: ["path"],
                additionalProperties: false,
            }),
            execute: ({ path, offset = 0 }) =>
                read(readPart(site, String(path), Math.max(0, Number(offset) || 0), reader)),
        }),
    };
}
