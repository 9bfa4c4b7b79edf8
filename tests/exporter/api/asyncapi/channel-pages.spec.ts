import assert from "node:assert/strict";
import { type Files, sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

const chat = {
    asyncapi: "3.0.0",
    info: { title: "Chat", version: "1" },
    servers: { main: { host: "chat.example.com", protocol: "wss" } },
    channels: {
        rooms: {
            address: "/rooms/{room}",
            title: "Rooms",
            tags: [{ name: "Talk" }],
            parameters: { room: { description: "Name of the room" } },
            messages: { said: { $ref: "#/components/messages/said" } },
        },
        presence: { address: "/presence", description: "Tells who is there. Always." },
    },
    operations: {
        hear: { action: "send", channel: { $ref: "#/channels/rooms" } },
    },
    components: {
        messages: {
            said: {
                title: "Said",
                payload: {
                    type: "object",
                    properties: {
                        loudness: { type: "integer", description: "In decibels" },
                        answers: { type: "array", items: { $ref: "#/components/messages/said/payload" } },
                    },
                },
            },
        },
    },
};

const site = (navigation: object, files: Files = {}): Files => ({
    "index.md": "# Home\n",
    "chat.json": JSON.stringify(chat),
    "docs.json": JSON.stringify({ navigation }),
    ...files,
});

describe("channel pages", () => {
    it("are created after the other pages and grouped by tag if the navigation names a document", async () => {
        const files = site({
            tabs: [{ tab: "API", groups: [{ group: "Events", pages: ["index"], asyncapi: "/chat.json" }] }],
        });
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const html = await read("api-reference/presence.html");
            assert.deepEqual(sidebarOf(html), [
                ["../index.html", "Home"],
                ["talk/rooms.html", "Rooms"],
                ["presence.html", "presence"],
            ]);
            assert.match(html, /<meta name="description" content="Tells who is there\.">/);
            assert.match(html, /<span class="method">wss<\/span> <code>\/presence<\/code>/);
        });
    });

    it("are in the folder that the navigation names, and share no route with operations", async () => {
        const openapi = JSON.stringify({ openapi: "3.1.0", paths: { "/presence": { get: { summary: "presence" } } } });
        const files = site(
            {
                groups: [
                    { group: "HTTP", openapi: { source: "api.json", directory: "live" } },
                    { group: "Events", asyncapi: { source: "chat.json", directory: "live" } },
                ],
            },
            { "api.json": openapi },
        );
        await withExport(files, async (exported) => {
            const pages = (await exported.files()).filter((file) => /^live\/.*\.html$/.test(file));
            assert.deepEqual(pages, ["live/presence-2.html", "live/presence.html", "live/talk/rooms.html"]);
        });
    });

    it("can come from a file that names a channel, and combine the file's text with the document's text", async () => {
        const page = "---\nasyncapi: chat.json rooms\n---\n\nText of the **page**\n";
        await withExport(site({ pages: ["index", "talk"] }, { "talk.md": page }), async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const html = await read("talk.html");
            assert.match(html, /<h1[^>]*>Rooms<\/h1>/);
            assert.match(html, /Text of the <strong>page<\/strong>/);
            assert.match(html, /<h2 id="api-operations">[\s\S]*<code>hear<\/code><span>send<\/span>/);
            assert.match(html, /The API sends; clients receive\. Said/);
            assert.match(html, /aria-label="Message example">[\s\S]*loudness[\s\S]*123/);
            assert.match(await read("talk.md"), /Text of the \*\*page\*\*/);
            assert.match(await read("llms.txt"), /\[Rooms\]/);
        });
    });

    it("find a channel by its address if no setting names its document", async () => {
        const files = { "a.md": "---\nasyncapi: /rooms/{room}\n---\n", "chat.json": JSON.stringify(chat) };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.match(await read("a.html"), /Name of the room/);
        });
    });

    it("show the API as the receiver of publish messages in version 2", async () => {
        const old = `
asyncapi: 2.6.0
info: { title: Lamps, version: "1" }
channels:
  lamps/{id}:
    publish: { message: { name: measured, payload: { type: number } } }
    subscribe: { message: { name: switched, payload: { type: boolean } } }
`;
        const files = site({ pages: ["a"] }, { "a.md": "---\nasyncapi: old.yaml lamps/{id}\n---\n", "old.yaml": old });
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(html, /The API receives; clients send\. measured/);
            assert.match(html, /The API sends; clients receive\. switched/);
        });
    });

    it("let traits override a message in version 2, and the message override traits in version 3", async () => {
        const message = { title: "Own", payload: { type: "string" }, traits: [{ title: "Of the trait" }] };
        const documents = {
            "2": { asyncapi: "2.6.0", channels: { c: { publish: { message } } } },
            "3": { asyncapi: "3.0.0", channels: { c: { address: "c", messages: { message } } } },
        };
        for (const [version, title] of [
            ["2", "Of the trait"],
            ["3", "Own"],
        ] as const) {
            const files = { "a.md": "---\nasyncapi: d.json c\n---\n", "d.json": JSON.stringify(documents[version]) };
            await withExport(files, async ({ read }) => {
                assert.match(await read("a.html"), new RegExp(`<summary>${title}`));
            });
        }
    });

    it("do not show the key of a channel as its address in version 3, which may have no address", async () => {
        for (const given of [{}, { address: null }, { address: "soughtaddress" }]) {
            const channels = { soughtkey: { title: "Replies", messages: { m: { payload: {} } }, ...given } };
            const files = {
                "a.md": "---\nasyncapi: d.json soughtkey\n---\n",
                "d.json": JSON.stringify({ asyncapi: "3.0.0", channels }),
            };
            await withExport(files, async ({ read }) => {
                const [place = ""] = /<p class="operation">.*?<\/p>/.exec(await read("a.html")) ?? [];
                assert.doesNotMatch(place, /soughtkey/);
                assert.match(place, given.address ? /soughtaddress/ : /address chosen at run time/);
            });
        }
    });

    const record = { type: "record", name: "SoughtRecord", fields: [] };
    for (const [what, avro] of [
        ["a record", record],
        ["a list of types", ["null", record]],
    ] as const) {
        it(`show a schema of another format that is in its own file: ${what}`, async () => {
            const message = {
                schemaFormat: "application/vnd.apache.avro;version=1.9.0",
                payload: { $ref: "avro.json" },
            };
            const files = site(
                { groups: [{ group: "Events", asyncapi: "/chat.json" }] },
                {
                    "chat.json": JSON.stringify({ asyncapi: "2.6.0", channels: { a: { publish: { message } } } }),
                    "avro.json": JSON.stringify(avro),
                },
            );
            await withExport(files, async ({ read }) => {
                assert.match(await read("api-reference/a.html"), /SoughtRecord/);
            });
        });
    }

    it("show the messages of a reply on a channel that the document does not list", async () => {
        const channel = { address: "soughtaddress", messages: { m: { title: "Sought message", payload: {} } } };
        const reply = { channel: { $ref: "#/components/channels/r" } };
        const hear = { ...chat.operations.hear, reply };
        const files = site(
            { groups: [{ group: "Events", asyncapi: "/chat.json" }] },
            {
                "chat.json": JSON.stringify({
                    ...chat,
                    operations: { hear },
                    components: { ...chat.components, channels: { r: channel } },
                }),
            },
        );
        await withExport(files, async ({ read }) => {
            assert.match(await read("api-reference/talk/rooms.html"), /on soughtaddress; Sought message/);
        });
    });

    it("leave out parts for certain readers, and do not publish a document with restricted parts", async () => {
        const limited = structuredClone(chat) as {
            components: { messages: { said: { payload: { properties: object } } } };
        };
        Object.assign(limited.components.messages.said.payload.properties, {
            secret: { type: "string", "x-mint": { groups: ["staff"] } },
        });
        const files = site(
            { groups: [{ group: "G", asyncapi: "chat.json" }] },
            { "chat.json": JSON.stringify(limited) },
        );
        await withExport(files, async (exported) => {
            assert.equal((await exported.files()).includes("chat.json"), false);
            const html = await exported.read("api-reference/talk/rooms.html");
            assert.match(html, /loudness/);
            assert.doesNotMatch(html, /secret/);
        });
    });
});

describe("the warnings about AsyncAPI documents", () => {
    const warned = (asyncapi: string, files: Files = {}) =>
        warningsOf(site({ groups: [{ group: "G", pages: ["index"], asyncapi }] }, files));

    it("report a missing, remote or invalid document, with the line of the setting", async () => {
        assert.deepEqual(await warned("gone.json"), ["docs.json:1: the site has no AsyncAPI document gone.json"]);
        assert.deepEqual(await warned("https://example.com/a.yaml"), [
            "docs.json:1: the AsyncAPI document https://example.com/a.yaml is not fetched: put a copy into the site",
        ]);
        assert.deepEqual(await warned("bad.json", { "bad.json": "{}" }), [
            "bad.json: this is not a valid AsyncAPI document in JSON or YAML",
        ]);
    });

    it("report each operation whose channel the document does not list", async () => {
        const operations = {
            hear: chat.operations.hear,
            other: { action: "send", channel: { $ref: "#/components/channels/other" } },
            none: { action: "send" },
        };
        const components = { ...chat.components, channels: { other: { address: "other" } } };
        const files = site(
            { groups: [{ group: "Events", asyncapi: "/chat.json" }] },
            {
                "chat.json": JSON.stringify({ ...chat, operations, components }),
            },
        );
        assert.deepEqual(
            (await warningsOf(files)).filter((each) => each.includes("operation")),
            ["other", "none"].map(
                (name) =>
                    `chat.json: the operation ${name} is on no page, because channels does not contain its channel`,
            ),
        );
    });

    it("report an unsupported version, and a channel that no document contains", async () => {
        assert.deepEqual(await warned("old.json", { "old.json": '{"asyncapi":"1.2.0","topics":{}}' }), [
            "old.json: only AsyncAPI 2 and 3 are supported, so parts of this document may be missing",
        ]);
        assert.deepEqual(
            await warningsOf({ "a.md": "---\nasyncapi: chat.json gone\n---\n", "chat.json": JSON.stringify(chat) }),
            [
                'a.md:2: no AsyncAPI document of the site has the channel "chat.json gone": add the document that contains it to the site, or correct the name',
            ],
        );
    });

    it("report broken references and references out of the site, with lines, but no references in data", async () => {
        const text = `
asyncapi: 3.0.0
channels:
  a:
    messages:
      one: { $ref: "#/components/messages/gone" }
      two: { $ref: "./other.yaml#/two" }
      three: { payload: { default: { $ref: "https://example.com/users/1" } } }
`;
        assert.deepEqual(await warned("d.yaml", { "d.yaml": text }), [
            "d.yaml:6: the reference #/components/messages/gone has no target: that content is missing from the pages",
            "d.yaml:7: the reference ./other.yaml#/two has no target: that content is missing from the pages",
        ]);
    });
});
