import { everyKeywordOf2, everyKeywordOf3 } from "../../tests/exporter/api/asyncapi/every-async-keyword.js";
import { shownOf2, shownOf3 } from "../../tests/exporter/api/asyncapi/shown-async-keywords.js";
import { everyKeyword } from "../../tests/exporter/support/every-keyword.js";
import { schemaKeywords } from "../../tests/exporter/support/schema-keywords.js";
import { shownKeywords } from "../../tests/exporter/support/shown-keywords.js";
import { withExport } from "../../tests/exporter/support/site-fixture.js";
import { type KeywordsOfVersions, publishedAsyncapi, publishedOpenapi } from "./published-keywords.js";

/** A keyword that pages do not show, with the versions that have it. */
interface KeywordNotShown {
    /** The keyword in its object, such as `Info.title`. */
    readonly keyword: string;
    /** Empty if all versions have the keyword, and pages show it of none. */
    readonly versions: readonly string[];
}

/** Keywords that determine a page's title and place, its server, or what a reference means; specs test them. */
const decisive = new Set([
    ...["Example.externalValue", "Schema.$id", "Schema.$anchor", "Schema.$dynamicRef", "Schema.$dynamicAnchor"],
    ...[
        "PathItem.$ref",
        "PathItem.servers",
        "Operation.tags",
        "Operation.summary",
        "Operation.operationId",
        "Tag.name",
    ],
    ...["asyncapi", "info", "servers", "channels", "operations", "components"].map((key) => `Document.${key}`),
    ...["Document.defaultContentType"],
]);

/** The keywords decide about XML in examples, which contain no keywords. */
const ofExamples = /^(?:Schema\.xml$|XML\.)/;

/** One operation with a field for each keyword of a schema. */
function documentOfSchemas(): object {
    const fields = Object.entries(schemaKeywords).flatMap(([type, all]) =>
        all.map(([schema], at) => [`${type}${at}`, { type, ...schema }] as const),
    );
    const content = { "application/json": { schema: { type: "object", properties: Object.fromEntries(fields) } } };
    return { openapi: "3.1.0", paths: { "/a": { post: { requestBody: { content }, responses: {} } } } };
}

/** The pages of the documents that use every keyword, with a bar in place of tags. */
async function readPages(): Promise<Readonly<Record<"operation" | "schemas" | "two" | "three", string>>> {
    const found = { operation: "", schemas: "", two: "", three: "" };
    const files = {
        "docs.json": JSON.stringify({ navigation: { pages: Object.keys(found) } }),
        "operation.md": "---\nopenapi: operation.json POST /things/{id}\n---\n",
        "schemas.md": "---\nopenapi: schemas.json POST /a\n---\n",
        "two.md": "---\nasyncapi: two.json rooms/{room}\n---\n",
        "three.md": "---\nasyncapi: three.json chat\n---\n",
        "operation.json": JSON.stringify(everyKeyword),
        "schemas.json": JSON.stringify(documentOfSchemas()),
        "two.json": JSON.stringify(everyKeywordOf2),
        "three.json": JSON.stringify(everyKeywordOf3),
    };
    await withExport(files, async ({ read }) => {
        for (const page of Object.keys(found) as (keyof typeof found)[]) {
            const [, html = ""] = /<article[^>]*>([\s\S]*)<\/article>/.exec(await read(`${page}.html`)) ?? [];
            const plain = html.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");
            found[page] =
                `${html}\n${plain.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&#x27;", "'")}`;
        }
    });
    return found;
}

/** The keywords of the published specifications that pages do not show. */
export async function keywordsNotShown(): Promise<Readonly<Record<"openapi" | "asyncapi", KeywordNotShown[]>>> {
    const pages = await readPages();
    const ofSchemas = Object.values(schemaKeywords)
        .flat()
        .filter(([, text]) => pages.schemas.includes(text))
        .flatMap(([schema]) => Object.keys(schema).map((key) => `Schema.${key}`));
    const shownOn = (page: string, texts: Readonly<Record<string, string>>) =>
        new Set([...ofSchemas, ...Object.keys(texts).filter((keyword) => page.includes(texts[keyword] ?? ""))]);
    const openapi = shownOn(pages.operation, shownKeywords);
    return {
        openapi: notShown(publishedOpenapi, { "3.0": openapi, "3.1": openapi }),
        asyncapi: notShown(publishedAsyncapi, {
            "2.6": shownOn(pages.two, { ...shownOf3, ...shownOf2 }),
            "3.0": shownOn(pages.three, { ...shownOf2, ...shownOf3 }),
        }),
    };
}

function notShown(
    published: KeywordsOfVersions,
    shown: Readonly<Record<string, ReadonlySet<string>>>,
): KeywordNotShown[] {
    const all = new Set(Object.values(published).flatMap((keywords) => [...keywords]));
    return [...all]
        .filter((keyword) => !decisive.has(keyword) && !ofExamples.test(keyword))
        .flatMap((keyword) => {
            const having = Object.keys(published).filter((version) => published[version]?.has(keyword));
            const versions = having.filter((version) => shown[version]?.has(keyword) !== true);
            const isInAll = versions.length === Object.keys(published).length;
            return versions.length === 0 ? [] : [{ keyword, versions: isInAll ? [] : versions }];
        });
}
