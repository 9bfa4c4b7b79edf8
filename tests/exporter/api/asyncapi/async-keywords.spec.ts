import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { asyncapiKeywordsNotShown } from "../../../../dev/not-supported/keywords.js";
import { withExport } from "../../support/site-fixture.js";
import { schemaKeywords } from "../../support/schema-keywords.js";
import { everyKeywordOf2, everyKeywordOf3 } from "./every-async-keyword.js";
import { shownOf2, shownOf3 } from "./shown-async-keywords.js";

interface Definition {
    properties?: object;
    allOf?: Definition[];
}

interface PublishedSchema extends Definition {
    definitions: Record<string, Definition>;
}

/**
 * Some objects have different names in the two versions. Objects that only map names to other objects have no keywords.
 */
const objects: Readonly<Record<string, string>> = {
    APIKeyHTTPSecurityScheme: "SecurityScheme",
    BearerHTTPSecurityScheme: "SecurityScheme",
    NonBearerHTTPSecurityScheme: "SecurityScheme",
    SaslGssapiSecurityScheme: "SecurityScheme",
    SaslPlainSecurityScheme: "SecurityScheme",
    SaslScramSecurityScheme: "SecurityScheme",
    X509: "SecurityScheme",
    apiKey: "SecurityScheme",
    asymmetricEncryption: "SecurityScheme",
    channel: "Channel",
    channelItem: "Channel",
    contact: "Contact",
    correlationId: "CorrelationId",
    externalDocs: "ExternalDocs",
    info: "Info",
    license: "License",
    messageExampleObject: "MessageExample",
    messageObject: "Message",
    messageTrait: "Message",
    oauth2Flow: "OAuthFlow",
    oauth2Flows: "SecurityScheme",
    openIdConnect: "SecurityScheme",
    operation: "Operation",
    operationReply: "Reply",
    operationReplyAddress: "ReplyAddress",
    operationTrait: "Operation",
    parameter: "Parameter",
    schema: "Schema",
    server: "Server",
    serverVariable: "ServerVariable",
    symmetricEncryption: "SecurityScheme",
    tag: "Tag",
    userPassword: "SecurityScheme",
};

/**
 * Keywords in branches of the published schemas, and keywords that only place other content: other specs test both.
 */
const published = new Set([
    "Message.oneOf",
    "Message.payload",
    "MultiFormatSchema.schema",
    "MultiFormatSchema.schemaFormat",
]);
const decisive = ["asyncapi", "info", "servers", "channels", "operations", "components", "defaultContentType"].map(
    (key) => `Document.${key}`,
);

function keywordsOf({ properties = {}, allOf = [] }: Definition): string[] {
    return [...Object.keys(properties), ...allOf.flatMap(keywordsOf)].filter((key) => key !== "$ref");
}

const load = createRequire(import.meta.url);

describe("the page of a channel", () => {
    const pages = new Map<string, string>();

    before(async () => {
        for (const version of ["2.6.0", "3.0.0"]) {
            const schema = load(`@asyncapi/specs/schemas/${version}.json`) as PublishedSchema;
            keywordsOf(schema).forEach((key) => published.add(`Document.${key}`));
            for (const [address, definition] of Object.entries(schema.definitions)) {
                const [, name = ""] = /\/definitions\/[\d.]+\/(\w+)\.json$/.exec(address) ?? [];
                const object = address.includes("json-schema.org") ? "Schema" : objects[name];
                if (object !== undefined) {
                    keywordsOf(definition).forEach((key) => published.add(`${object}.${key}`));
                }
            }
        }
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["two", "three"] } }),
            "two.md": "---\nasyncapi: two.json rooms/{room}\n---\n",
            "three.md": "---\nasyncapi: three.json chat\n---\n",
            "two.json": JSON.stringify(everyKeywordOf2),
            "three.json": JSON.stringify(everyKeywordOf3),
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            for (const page of ["two", "three"]) {
                const [, html = ""] = /<article[^>]*>([\s\S]*)<\/article>/.exec(await read(`${page}.html`)) ?? [];
                const plain = html.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");
                pages.set(page, `${html}\n${plain.replaceAll("&quot;", '"').replaceAll("&#39;", "'")}`);
            }
        });
    });

    it("shows every keyword of the AsyncAPI 2.6 and 3.0 schemas except the listed exceptions", () => {
        const shown = [...Object.keys(shownOf2), ...Object.keys(shownOf3)];
        const listed = new Set([...shown, ...asyncapiKeywordsNotShown, ...decisive]);
        // The specs of OpenAPI show these keywords in each place of a schema.
        const inPlaces = Object.values(schemaKeywords).flatMap((all) => all.flatMap(([schema]) => Object.keys(schema)));
        const shared = new Set(inPlaces.map((keyword) => `Schema.${keyword}`));
        assert.deepEqual(
            [...published].filter((keyword) => !listed.has(keyword) && !shared.has(keyword)),
            [],
        );
        assert.deepEqual(
            [...listed].filter((keyword) => !published.has(keyword)),
            [],
        );
        assert.deepEqual(
            asyncapiKeywordsNotShown.filter((keyword) => shown.includes(keyword)),
            [],
        );
    });

    for (const [page, keywords] of [
        ["two", shownOf2],
        ["three", shownOf3],
    ] as const) {
        for (const [keyword, text] of Object.entries(keywords)) {
            it(`shows ${keyword} from a document of version ${page}`, () => {
                assert.ok(pages.get(page)?.includes(text), `${text} is not in ${pages.get(page)?.split("\n").at(-1)}`);
            });
        }
    }
});
