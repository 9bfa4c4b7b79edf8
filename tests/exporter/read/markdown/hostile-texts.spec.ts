import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

/** Text that closes attributes, elements and titles, and must not become a script on a page. */
const text = `'"></title></script><script>pwned()</script>`;
const inYaml = text.replaceAll("'", "''");
const inExpression = `{${JSON.stringify(text)}}`;

/** Contains keys that would change all objects if they were assigned. */
const withPrototypes = (json: string): string =>
    json.replace("{", '{ "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } },');

const openapi = {
    openapi: "3.1.0",
    info: { title: text, version: text },
    servers: [{ url: "https://api.example.com" }],
    paths: {
        "/pets": {
            get: {
                summary: text,
                tags: [text],
                parameters: [
                    { name: text, in: "query", schema: { type: "string", enum: [text], default: text, format: text } },
                ],
                responses: {
                    200: { description: "OK", content: { "application/json": { example: { [text]: text } } } },
                },
            },
            post: {
                summary: "Elsewhere",
                requestBody: { content: { "application/json": { schema: { $ref: "http://127.0.0.1:9/pet.json" } } } },
                responses: {
                    200: { content: { "application/json": { schema: { $ref: "file:///etc/passwd" } } } },
                    201: { $ref: "../../../../../../etc/passwd" },
                    202: { content: { "application/json": { schema: { $ref: "#/components/schemas/Endless" } } } },
                },
            },
        },
    },
    components: {
        schemas: {
            Endless: {
                allOf: [{ $ref: "#/components/schemas/Endless" }],
                properties: { again: { $ref: "#/components/schemas/Endless" } },
            },
        },
    },
};

const files: Files = {
    "index.mdx": `---
title: '${inYaml}'
sidebarTitle: '${inYaml}'
description: '${inYaml}'
icon: '${inYaml}'
tag: '${inYaml}'
__proto__: { polluted: true }
constructor: { prototype: { polluted: true } }
---

## Text

<Card title=${inExpression} icon=${inExpression}>Card</Card>

<Tabs><Tab title=${inExpression}>Tab</Tab></Tabs>

<Tooltip tip=${inExpression} headline=${inExpression}>Tooltip</Tooltip> <Badge color=${inExpression}>Badge</Badge>

<Accordion title=${inExpression}>Accordion</Accordion>

<ParamField path=${inExpression} type=${inExpression} default=${inExpression}>Field</ParamField>

\`\`\`ts ${text}
const text = ${JSON.stringify(text)};
\`\`\`
`,
    "openapi.json": withPrototypes(JSON.stringify(openapi)),
    "docs.json": withPrototypes(
        JSON.stringify({
            name: text,
            favicon: text,
            logo: { light: text, dark: text },
            colors: { primary: text },
            navbar: { links: [{ label: text, href: "https://example.com" }] },
            footer: { links: [{ header: text, items: [{ label: text, href: "https://example.com" }] }] },
            seo: { metatags: { [text]: text } },
            navigation: {
                groups: [
                    { group: text, icon: text, tag: text, pages: ["index"] },
                    { group: "API", openapi: "openapi.json" },
                ],
                global: { anchors: [{ anchor: text, icon: text, href: "https://example.com" }] },
            },
        }),
    ),
};

describe("A site with hostile text everywhere", () => {
    it("cannot inject a script into a page, or change other objects through its keys", async () => {
        await withExport(files, async (site) => {
            const pages = (await site.files()).filter((file) => file.endsWith(".html"));
            assert.ok(pages.length >= 4, pages.join());
            for (const page of pages) {
                const html = await site.read(page);
                assert.doesNotMatch(html, /<script>pwned/, page);
                assert.ok(!html.includes("root:"), `${page} has a file of this machine`);
            }
            assert.match(await site.read("index.html"), /&lt;script&gt;pwned\(\)/);
        });
        assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    });
});
