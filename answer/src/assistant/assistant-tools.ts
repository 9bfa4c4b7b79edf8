import { type AnswerBudget } from "./answer-budget.js";
import { beginningOf } from "@pulumi-static-export/contract";
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
    /** The language and version of the reader's page, unless the model names others. */
    readonly filter: { readonly language?: string | undefined; readonly version?: string | undefined };
    readonly budget: AnswerBudget;
    /** Called with the pages that were found or read. */
    readonly onPages: (pages: Reading["pages"]) => void;
}

/** The tools of the assistant for one reader: they only read, and only from the site. */
export function createSiteTools({ site, reader, pageSize, filter, budget, onPages }: SiteToolsSettings): ToolSet {
    const read = (find: () => Promise<Reading>): Promise<string> =>
        budget.read(async () => {
            const { text, pages } = await find();
            onPages(pages);
            return text;
        });
    // Checks the input leniently, because a model may not keep to the schema.
    return {
        search: tool({
            description: siteTools.search.description,
            inputSchema: inputOf(siteTools.search.input),
            execute: ({ query, ...chosen }) => {
                const { language = filter.language, version = filter.version } = textsIn(chosen);
                const request = { query: beginningOf(String(query), 500), max: pageSize, language, version };
                return read(() => readHits(site, request, reader));
            },
        }),
        read_page: tool({
            description: siteTools.read.description,
            inputSchema: inputOf(siteTools.read.input),
            execute: ({ path, offset = 0 }) =>
                read(() => readPart(site, String(path), Math.max(0, Number(offset) || 0), reader)),
        }),
    };
}

function inputOf<T extends TSchema>(schema: T): Schema<Static<T>> {
    return jsonSchema<Static<T>>({ ...schema, additionalProperties: false });
}

/** Models may send null or an empty text for an omitted value. */
function textsIn(input: Readonly<Record<string, unknown>>): { language?: string; version?: string } {
    const texts = Object.entries(input).filter(([, value]) => typeof value === "string" && value.trim() !== "");
    return Object.fromEntries(texts) as { language?: string; version?: string };
}
