import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Files, listFiles, withExport } from "../../support/site-fixture.js";

const settings = (pages: readonly unknown[]) => JSON.stringify({ name: "Docs", navigation: { pages } });

const operation = (schema: object, media: object = {}) => ({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: {
        "/things": {
            get: {
                summary: "List things",
                responses: { 200: { description: "OK", content: { "application/json": { schema, ...media } } } },
            },
        },
    },
});

const thing = { type: "object", properties: { zebra: { type: "string" } } };
const privatePage = "---\ntitle: Things\ngroups: [staff]\nopenapi: api/api.json GET /things\n---\n";
const toThing = { $ref: "thing.yaml" };
const limited = { ...thing, "x-mint": { groups: ["staff"] } };

const limitedText = JSON.stringify(operation(limited));

/** A site whose documents no page shows. */
const unused = (api: object, files: Files): Files => ({
    "docs.json": JSON.stringify({ name: "Docs", api, navigation: { pages: ["index"] } }),
    "index.md": "# Home",
    "a.mdx": "# A",
    ...files,
});

/** All private content contains the word "zebra". */
const sites: Record<string, Files> = {
    "a model in another file": {
        "api/api.json": JSON.stringify(operation({ $ref: "./models/thing.json#/Thing" })),
        "api/models/thing.json": JSON.stringify({ Thing: { ...thing, items: { $ref: "deep/zebra.yaml" } } }),
        "api/models/deep/zebra.yaml": "description: Zebra\n",
    },
    "a list in another file": {
        "api/api.json": JSON.stringify(operation({ oneOf: { $ref: "zebras.yaml" } })),
        "api/zebras.yaml": "- description: Zebra\n",
    },
    "a file that is not valid": {
        "api/api.json": JSON.stringify(operation(toThing)),
        "api/thing.yaml": "zebra: [\n$ref: ./zebra.json\n",
        "api/zebra.json": '{"zebra": 1}',
    },
    "examples in other files": {
        "api/api.json": JSON.stringify(
            operation(
                { type: "object" },
                {
                    examples: {
                        one: { $ref: "one.json" },
                        two: { externalValue: "files/zebra two.txt" },
                        three: { externalValue: "https://docs.example.com/api/three.json" },
                    },
                },
            ),
        ),
        "api/one.json": '{"value": {"zebra": 1, "$ref": "within.json"}}',
        "api/within.json": '{"zebra": 2}',
        "api/three.json": '{"zebra": 3}',
        "api/files/zebra two.txt": "zebra",
    },
    "variants that a mapping names": {
        "api/api.json": JSON.stringify(
            operation({
                discriminator: { propertyName: "kind", mapping: { a: "zebra-a.json", b: "/api/zebra-b.json" } },
            }),
        ),
        "api/zebra-a.json": '{"zebra": 1}',
        "api/zebra-b.json": '{"zebra": 1}',
    },
    "a channel's message in another file": {
        "a.mdx": "---\ntitle: Chat\ngroups: [staff]\nasyncapi: api/async.yaml chat\n---\n",
        "api/async.yaml":
            "asyncapi: 3.0.0\ninfo: {title: A, version: '1'}\nchannels:\n  chat:\n    messages:\n      said: { $ref: message.yaml }\n",
        "api/message.yaml": "title: Zebra\npayload: { $ref: payload.json }\n",
        "api/payload.json": '{"description": "zebra"}',
    },
    "an operation that the document does not have": {
        "a.mdx": "---\ntitle: Things\ngroups: [staff]\nopenapi: api/api.json GET /nothing\n---\n",
        "api/api.json": JSON.stringify(operation(toThing)),
        "api/thing.yaml": "description: Zebra\n",
    },
    "a document that is not valid": {
        "a.mdx": "---\ntitle: Things\ngroups: [staff]\nopenapi: /api/broken GET /things\n---\n",
        "api/broken.yaml": "zebra: [\n",
    },
    "a model's page": {
        "a.mdx": "---\ntitle: Thing\npublic: false\nopenapi-schema: api/api.json Thing\n---\n",
        "api/api.json": JSON.stringify({ ...operation(toThing), components: { schemas: { Thing: thing } } }),
        "api/thing.yaml": "description: Zebra\n",
    },
    "a private part of the navigation": {
        "docs.json": settings(["index", { group: "API", public: false, openapi: "api/api.json" }]),
        "a.mdx": "# A",
        "api/api.json": JSON.stringify(operation(toThing)),
        "api/thing.yaml": "description: Zebra\n",
    },
    "a private part whose document has hidden operations only": {
        "docs.json": settings(["index", { group: "API", public: false, openapi: "api/api.json", pages: ["a"] }]),
        "a.mdx": "# A",
        "api/api.json": JSON.stringify(operation(toThing)).replace('"summary"', '"x-hidden":true,"summary"'),
        "api/thing.yaml": "description: Zebra\n",
    },
    "a document that holds limited parts": {
        "docs.json": settings(["index", { group: "API", openapi: "api/api.json" }]),
        "a.mdx": "---\npublic: false\n---\n",
        "api/api.json": JSON.stringify(operation({ ...thing, "x-mint": { groups: ["a"] } }, { example: toThing })),
        "api/thing.yaml": "description: Zebra\n",
    },
    "a document that only the settings name": unused(
        { openapi: "api/api" },
        { "api/api.json": JSON.stringify(operation(limited)) },
    ),
    "a document of another ending that only the settings name": unused(
        { openapi: "/api/api.txt" },
        { "api/api.txt": JSON.stringify(operation(limited)) },
    ),
    "a document of channels that only the settings name": unused(
        { asyncapi: "api/async.yaml" },
        {
            "api/async.yaml":
                "asyncapi: 3.0.0\ninfo: {title: A, version: '1'}\ncomponents:\n  schemas:\n    Zebra: { x-mint: { groups: [staff] } }\n",
        },
    ),
    "a limited operation that nothing names": unused(
        {},
        {
            "api/api.yaml":
                "swagger: '2.0'\npaths:\n  /zebra:\n    get: { summary: Zebra, x-mint: { groups: [staff] }, responses: {} }\n",
        },
    ),
    "limited values that nothing names": unused(
        {},
        { "api/api.json": JSON.stringify(operation({ enum: ["a", "zebra"], "x-mint-enum": { zebra: ["staff"] } })) },
    ),
    "a limited model, and a document that refers to it through another file": unused(
        { openapi: "api/api.json" },
        {
            "api/api.json": JSON.stringify(operation({ $ref: "zebra-list.json" })),
            "api/zebra-list.json": JSON.stringify([{ $ref: "zebra.json" }]),
            "api/zebra.json": JSON.stringify([limited]),
        },
    ),
    "a limited model in a file of another ending, and a document that refers to it": unused(
        {},
        { "api/api.json": JSON.stringify(operation({ $ref: "thing.schema" })), "api/thing.schema": limitedText },
    ),
    "a model with a mistake in a file of another ending, and a document that refers to it": unused(
        { openapi: "api/api.json" },
        {
            "api/api.json": JSON.stringify(operation({ $ref: "thing.schema" })),
            "api/thing.schema": "zebra: [\nx-mint:\n  groups: [staff]\n",
        },
    ),
    "documents of other endings that only pages link to": unused(
        {},
        {
            "index.md": "[A](api/a.oas) [B](api/b.json5) [C](api/c.txt)",
            "api/a.oas": "openapi: 3.1.0\nzebra: [\nx-mint:\n  groups: [staff]\n",
            "api/b.json5": "{openapi:'3.1.0', zebra:{'x-mint':{groups:['staff'],},},}",
            "api/c.txt": limitedText,
        },
    ),
    "limits with a misspelled key": unused(
        {},
        {
            "api/api.json": limitedText.replace('"groups"', '"Groups"'),
            "api/broken.yaml": "openapi: 3.1.0\nzebra: [\nx-mint:\n  group: [staff]\n",
        },
    ),
    "a limited document of a skill": unused(
        {},
        {
            ".mintlify/skills/s/SKILL.md": "---\nname: s\ndescription: About x-mint and groups\n---\n# S",
            ".mintlify/skills/s/api.json": limitedText,
        },
    ),
    "a document in UTF-16": unused(
        {},
        { "api/api.json": [...JSON.stringify(operation(limited))].map((character) => `${character}\0`).join("") },
    ),
    "a document whose limits are lost in a mistake": unused(
        {},
        { "api/api.yaml": "openapi: 3.1.0\nzebra: [\nx-mint:\n  groups: [staff]\n" },
    ),
    "a document with x-mint across the border of two mebibytes": unused(
        {},
        { "api/api.json": limitedText.padStart(2 ** 20 - 3 + limitedText.length - limitedText.indexOf("x-mint")) },
    ),
    "a limited document that is too large": unused(
        {},
        { "api/api.json": `${" ".repeat(17 * 1024 * 1024)}${JSON.stringify(operation(limited))}` },
    ),
};

describe("the API documents of private pages", () => {
    for (const [what, files] of Object.entries(sites)) {
        for (const privatePages of ["leave-out", "keep-apart"] as const) {
            it(`are not published, nor are the files that they refer to: ${what} (${privatePages})`, async () => {
                const site = { "index.md": "# Home", "open.json": "{}", "a.mdx": privatePage, ...files };
                await withExport(
                    site,
                    async ({ outDir }) => {
                        const published = await listFiles(outDir);
                        assert.deepEqual(
                            published.filter((file) => file.startsWith("api/")),
                            [],
                        );
                        const access = privatePages === "keep-apart" ? await readFile(join(outDir, "access.json")) : "";
                        for (const file of published.filter((each) => !String(access).includes(JSON.stringify(each)))) {
                            assert.doesNotMatch(await readFile(join(outDir, file), "utf8"), /zebra/i, file);
                        }
                    },
                    { privatePages },
                );
            });
        }
    }

    it("are named in a warning, even if nothing else names them", async () => {
        const documents = {
            "api/api.json": JSON.stringify(operation(limited)),
            "api/broken.yaml": "openapi: 3.1.0\nx-mint: [\ngroups: [staff]\n",
        };
        const assertWarnings = (privatePages: "leave-out" | "publish", expected: readonly string[][]) =>
            withExport(
                unused({}, documents),
                ({ warnings }) => {
                    const ofAccess = warnings.filter(({ kind }) => kind === "access");
                    assert.deepEqual(
                        ofAccess.map(({ file, reason }) => [file, reason]),
                        expected,
                    );
                },
                { privatePages },
            );
        await assertWarnings("leave-out", [
            [
                "api/api.json",
                "parts of this document are for certain readers (x-mint.groups, x-mint-enum): pages show them to nobody, and the document itself is not published",
            ],
            [
                "api/broken.yaml",
                "this file contains x-mint, but cannot be read completely, so it is not published: correct or split the file, or remove x-mint",
            ],
        ]);
        await assertWarnings("publish", [
            [
                "api/api.json",
                "x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site can read the whole document",
            ],
        ]);
    });

    it("are published if x-mint limits nothing, or only a word of a text", async () => {
        const files = {
            "api/page.json": JSON.stringify(operation({ "x-mint": { href: "/things" } })),
            "api/word.yaml": "description: x-mint.groups limits the readers of a field\n",
            "api/mistake.yaml": "openapi: 3.1.0\nx-mint: [\n",
            "api/samples.json": JSON.stringify({ externalValue: "sample.png" }),
            "api/sample.png": "\u00FF\uFFFD\0",
            "api/sample.bin": "\0x-mint groups [",
            "api/guide.txt": "Use x-mint:\n  - [groups: it limits\n readers\n",
        };
        await withExport(unused({}, { ...files, "limited.json": limitedText }), async ({ outDir }) => {
            const published = (await listFiles(outDir)).filter((file) => file.startsWith("api/"));
            assert.deepEqual(published.sort(), Object.keys(files).sort());
        });
    });

    it("do not affect the documents of public pages and their files", async () => {
        const site = {
            "index.md": "# Home",
            "a.mdx": privatePage,
            "open.mdx": "---\ntitle: Open\nopenapi: open/api.json GET /things\n---\n",
            "api/api.json": JSON.stringify(operation({ $ref: "thing.yaml" })),
            "api/thing.yaml": "description: Zebra\n",
            "open/api.json": JSON.stringify(operation({ $ref: "thing.yaml" })),
            "open/thing.yaml": "description: Shown\n",
        };
        await withExport(site, async ({ files }) => {
            const published = (await files()).filter((file) => /^(?:api|open)\//.test(file));
            assert.deepEqual(published, ["open/api.json", "open/thing.yaml"]);
        });
    });
});
