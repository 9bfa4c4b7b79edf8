import assert from "node:assert/strict";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

/** A site with one operation that answers with a schema. */
function siteOf(answer: object, schemas: object, others: Files = {}): Files {
    const content = { "application/json": { schema: answer } };
    const get = { summary: "List", responses: { 200: { description: "Done.", content } } };
    const document = { openapi: "3.1.0", paths: { "/a": { get } }, components: { schemas } };
    return {
        "docs.json": JSON.stringify({ navigation: { pages: ["api.json GET /a"] } }),
        "api.json": JSON.stringify(document),
        ...others,
    };
}

async function fieldsOf(site: Files): Promise<{ names: string[]; sample: unknown }> {
    let found = { names: [] as string[], sample: undefined as unknown };
    await withExport(site, async ({ read, warnings }) => {
        assert.deepEqual(warnings, []);
        const html = await read("api-reference/list.html");
        const names = [...html.matchAll(/<p class="field-name"><code>(\w*)<\/code>/g)].map(([, name = ""]) => name);
        const [, code = ""] = /data-of="response"[^]*?<code[^>]*>([^]*?)<\/code>/.exec(html) ?? [];
        const text = code.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"');
        found = { names, sample: JSON.parse(text.replaceAll(/&(?:lt|gt);/g, "")) };
    });
    return found;
}

const cup = { type: "object", properties: { colour: { type: "string" } } };

describe("A reference to a schema by its name", () => {
    const named = { Cup: { $anchor: "cup", ...cup }, Pot: { $id: "https://example.com/pot", ...cup } };

    for (const [what, $ref, others] of [
        ["$anchor", "#cup", {}],
        ["$id", "https://example.com/pot", {}],
        ["$anchor of another file", "cups.json#cup", { "cups.json": JSON.stringify({ $defs: { Cup: named.Cup } }) }],
        ["a file of a schema that refers to itself", "cup.json", { "cup.json": JSON.stringify(named.Cup) }],
    ] as const) {
        it(`shows the schema's fields: ${what}`, async () => {
            assert.deepEqual(await fieldsOf(siteOf({ $ref }, named, others)), {
                names: ["colour"],
                sample: { colour: "string" },
            });
        });
    }

    it("is reported if no schema has this name", async () => {
        const warnings = await warningsOf(siteOf({ $ref: "#mug" }, named));
        assert.match(warnings.join("\n"), /^api\.json:1: the reference #mug has no target/);
    });

    it("is reported if it leads only to itself", async () => {
        const schemas = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
        const warnings = await warningsOf(siteOf({ $ref: "#/components/schemas/A" }, schemas));
        assert.match(warnings.join("\n"), /the reference #\/components\/schemas\/A has no target/);
    });
});

describe("A schema with $dynamicRef", () => {
    const Page = {
        $defs: { item: { $dynamicAnchor: "item", type: "object", properties: { anything: { type: "string" } } } },
        type: "object",
        properties: { list: { type: "array", items: { $dynamicRef: "#item" } } },
    };
    const Cups = {
        $ref: "#/components/schemas/Page",
        $defs: { item: { $dynamicAnchor: "item", $ref: "#/components/schemas/Cup" } },
    };
    const schemas = { Page, Cups, Cup: cup };

    it("has the definition of the schema that refers to it", async () => {
        const { names, sample } = await fieldsOf(siteOf({ $ref: "#/components/schemas/Cups" }, schemas));
        assert.deepEqual(names, ["list", "colour"]);
        assert.deepEqual(sample, { list: [{ colour: "string" }] });
    });

    it("has its own definition elsewhere", async () => {
        const { names } = await fieldsOf(siteOf({ $ref: "#/components/schemas/Page" }, schemas));
        assert.deepEqual(names, ["list", "anything"]);
    });

    it("has the fields of the schema that extends a tree with itself", async () => {
        const Tree = {
            $dynamicAnchor: "node",
            type: "object",
            properties: { label: { type: "string" }, below: { type: "array", items: { $dynamicRef: "#node" } } },
        };
        const Labelled = {
            $dynamicAnchor: "node",
            allOf: [{ $ref: "#/components/schemas/Tree" }],
            properties: { size: { type: "integer" } },
        };
        const { names } = await fieldsOf(siteOf({ $ref: "#/components/schemas/Labelled" }, { Tree, Labelled }));
        assert.deepEqual(names, ["label", "below", "size"]);
    });

    it("is reported if no schema defines its name", async () => {
        const site = siteOf({ type: "array", items: { $dynamicRef: "#none" } }, {});
        assert.match((await warningsOf(site)).join("\n"), /the reference #none has no target/);
    });
});
