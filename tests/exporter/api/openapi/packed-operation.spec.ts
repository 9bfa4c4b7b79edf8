import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { withExport } from "../../support/site-fixture.js";

const operation = {
    operationId: "setLabel",
    parameters: [{ name: "event", in: "path", required: true, schema: { type: "string" } }],
    requestBody: {
        required: true,
        content: {
            "application/json": {
                schema: {
                    type: "object",
                    required: ["label"],
                    properties: {
                        label: { type: "string", description: "At most 100 characters." },
                        parent: "circular(Event)",
                    },
                },
            },
        },
    },
    responses: { 200: { description: "Labelled." } },
    description: "Sets the label of an event.",
    method: "post",
    path: "/events/{event}/label",
    servers: [{ url: "https://demo.example.com/api" }],
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    security: [{ key: [] }],
    info: { title: "Events", version: "1" },
};

const pack = (value: unknown) => deflateSync(JSON.stringify(value)).toString("base64");

/** A page in the form that docusaurus-openapi-docs generates. */
const page = (api: string) => `---
id: set-label
title: "Set label"
description: "Sets the label of an event."
sidebar_label: "Set label"
hide_title: true
api: ${api}
sidebar_class_name: "post api-method"
info_path: docs/api/events
---

import MethodEndpoint from "@theme/ApiExplorer/MethodEndpoint";
import RequestSchema from "@theme/RequestSchema";

<Heading as={"h1"} className={"openapi__heading"} children={"Set label"}>
</Heading>

<MethodEndpoint method={"post"} path={"/events/{event}/label"} context={"endpoint"}>
</MethodEndpoint>

Generated text.

<RequestSchema title={"Body"} body={{"required":true}}>
</RequestSchema>
`;

describe("A page that docusaurus-openapi-docs has generated", () => {
    it("shows its operation like one of a document, instead of components of that builder", async () => {
        await withExport({ "api/set-label.api.mdx": page(pack(operation)) }, async ({ read, warnings }) => {
            const html = await read("api/set-label.api.html");
            assert.match(html, /<h1[^>]*>Set label<\/h1>/);
            assert.match(html, /At most 100 characters\./);
            assert.match(html, /https:\/\/demo\.example\.com\/api/);
            assert.match(html, /X-Key/);
            assert.doesNotMatch(html, /Generated text/);
            assert.match(await read("api/set-label.api.md"), /"\/events\/\{event\}\/label"/);
            assert.deepEqual(warnings, []);
        });
    });

    for (const { what, api } of [
        { what: "is damaged", api: pack(operation).replace(/.{20}$/, "AAAAAAAAAAAAAAAAAAA=") },
        { what: "is no operation", api: pack({ title: "Something else, which is long enough" }) },
        {
            what: "unpacks to more than a document may have",
            api: deflateSync(Buffer.alloc(20_000_000)).toString("base64"),
        },
    ]) {
        it(`shows its text if the data ${what}`, async () => {
            await withExport({ "api/set-label.api.mdx": page(api) }, async ({ read }) => {
                assert.match(await read("api/set-label.api.html"), /Generated text/);
            });
        });
    }

    it("hides parts for certain readers from all others", async () => {
        const limited = structuredClone(operation);
        const { properties } = limited.requestBody.content["application/json"].schema;
        Object.assign(properties.label, { "x-mint": { groups: ["staff"] } });
        await withExport({ "api/set-label.api.mdx": page(pack(limited)) }, async ({ read }) => {
            assert.doesNotMatch(await read("api/set-label.api.html"), /At most 100 characters/);
        });
    });

    it("is listed in the sidebar by its id", async () => {
        const files = {
            "docusaurus.config.js":
                'export default { title: "Saurus", presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };\n',
            "sidebars.js":
                'module.exports = { main: ["intro", { type: "category", label: "Events", ' +
                'items: [{ type: "doc", id: "api/set-label", className: "api-method post" }] }] };\n',
            "docs/intro.md": "# Intro\n",
            "docs/api/set-label.api.mdx": page(pack(operation)),
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("docs/intro.html"), /Events[^]*href="api\/set-label\.api\.html"[^]*Set label/);
            assert.deepEqual(warnings, []);
        });
    });
});
