import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A model that fills a page: the fields of the page's first level are shown, deeper ones no longer. */
const Full = {
    properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`full${at}`, { type: "string", description: "long ".repeat(1100) }]),
    ),
};

function siteWith(schemas: object) {
    const document = {
        asyncapi: "3.0.0",
        info: { title: "Chat", version: "1" },
        channels: {
            rooms: {
                address: "/rooms",
                messages: {
                    said: { payload: { properties: { first: reference("Full"), later: reference("Later") } } },
                },
            },
        },
        components: { schemas },
    };
    return {
        "index.md": "# Home\n",
        "chat.json": JSON.stringify(document),
        "docs.json": JSON.stringify({
            navigation: { pages: ["index"], groups: [{ group: "Chat", asyncapi: "chat.json" }] },
        }),
    };
}

describe("The models of an AsyncAPI document", () => {
    const Later = { properties: { deep: { type: "string", description: "Words of the deep field." } } };

    it("have their own pages if the pages of channels are full, as those of an OpenAPI document do", async () => {
        await withExport(siteWith({ Full, Later }), async ({ read, warnings }) => {
            const channel = await read("api-reference/rooms.html");
            assert.match(channel, /Not shown here: <a href="\.\.\/chat\/later\.html">Later<\/a>/);
            assert.match(await read("chat/later.html"), /<code>deep<\/code>[^]*Words of the deep field\./);
            assert.match(await read("chat/later.md"), /^## AsyncAPI\n\n````json chat\.json Later\n/m);
            assert.deepEqual(
                warnings.map(({ reason }) => reason.replace(/:.*/, "")),
                ["some models are too large for the pages that use them"],
            );
        });
    });

    it("have no pages if the pages of channels have room for them", async () => {
        await withExport(siteWith({ Full: {}, Later }), async ({ read, files, warnings }) => {
            assert.match(await read("api-reference/rooms.html"), /Words of the deep field\./);
            assert.deepEqual(
                (await files()).filter((file) => file.startsWith("chat/")),
                [],
            );
            assert.deepEqual(warnings, []);
        });
    });
});
