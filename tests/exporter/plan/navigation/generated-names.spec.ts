import assert from "node:assert/strict";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

type Json = Record<string, unknown>;

const settings = (group: Json, others: Json = {}) =>
    JSON.stringify({
        ...others,
        navigation: {
            groups: [
                { group: "Start", pages: ["index"] },
                { group: "API", ...group },
            ],
        },
    });
const get = (operation: Json) => ({ get: { responses: {}, ...operation } });
const site = (paths: Json, group: Json = { openapi: "o.json" }, others: Json = {}): Files => ({
    "index.md": "# Start",
    "o.json": JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...others }),
    "docs.json": settings(group),
});
const isGenerated = (file: string) => file.endsWith(".html") && !["index.html", "404.html"].includes(file);
const titleOf = (html: string) => /<h1[^>]*>([^<]*)/.exec(html)?.[1];

/** @returns the names of the pages, without their extension, and their titles */
async function generatedPages(files: Files): Promise<(readonly [string, string | undefined])[]> {
    const found: (readonly [string, string | undefined])[] = [];
    await withExport(files, async ({ files: list, read }) => {
        for (const file of (await list()).filter(isGenerated)) {
            found.push([file.replace(/\.html$/, ""), titleOf(await read(file))]);
        }
    });
    return found;
}

describe("the folder of generated pages", () => {
    const accepted: [string, string, string][] = [
        ["slashes at its ends", "/reference/", "reference/owned"],
        ["a dot at its start", "./reference", "reference/owned"],
        ["the site's folder", "/", "owned"],
        ["letters in another Unicode form", "re\u0301f", "réf/owned"],
    ];
    for (const [what, directory, page] of accepted) {
        it(`may have ${what}`, async () => {
            const files = site({ "/a": get({ summary: "Owned" }) }, { openapi: { source: "o.json", directory } });
            assert.deepEqual(await generatedPages(files), [[page, "Owned"]]);
        });
    }

    const refused: [string, string, RegExp][] = [
        ["leaves the site", "../../esc", /"\.\.\/\.\.\/esc" has "\." or "\.\."/],
        ["leaves the site further in", "a/../../esc", /has "\." or "\.\."/],
        ["is a drive", "C:/x", /begins like a drive/],
        ["has a control character", "a\u0000b", /"a\\u0000b" has a control character/],
        ["has a line break", "a\nb", /"a\\nb" has a control character/],
        ["has a backslash", "a\\b", /has a backslash/],
        ["has 70 levels", "d/".repeat(70), /has more than 64 levels/],
        ["has 62 levels", "d/".repeat(62), /has no room for the names of pages/],
        ["has a long part", "x".repeat(256), /has a part of more than 255 bytes/],
        ["is the export's own", "static-export", /is a folder that the export reserves/],
        ["is for certain readers", "_private/1", /is a folder that the export reserves/],
        ["is hidden", ".git/hooks", /has a part that is never published/],
        ["is for well-known files", ".well-known", /has a part that is never published/],
    ];
    for (const [what, directory, reason] of refused) {
        it(`is ignored with a warning that names the setting if it ${what}`, async () => {
            const files = site({ "/a": get({ summary: "Owned" }) }, { openapi: { source: "o.json", directory } });
            const [warning = "", ...others] = await warningsOf(files);
            assert.match(warning, /^docs\.json:1: openapi\.directory has no effect, because "/);
            assert.match(warning, reason);
            assert.deepEqual(others, []);
            assert.deepEqual(await generatedPages(files), [["api-reference/owned", "Owned"]]);
        });
    }

    it("is checked in the settings and for AsyncAPI, too", async () => {
        const asyncapi = { asyncapi: "3.0.0", info: { title: "T", version: "1" }, channels: { c: { title: "Chat" } } };
        const files = {
            ...site({ "/a": get({ summary: "Owned" }) }),
            "a.json": JSON.stringify(asyncapi),
            "docs.json": settings(
                { pages: ["GET /a", { group: "Events", asyncapi: { source: "a.json", directory: "../events" } }] },
                { api: { openapi: { source: "o.json", directory: "../esc" } } },
            ),
        };
        const [ofChannels = "", ofSettings = "", ...others] = await warningsOf(files);
        assert.match(ofChannels, /^docs\.json:1: asyncapi\.directory has no effect, because "\.\.\/events"/);
        assert.match(ofSettings, /^docs\.json:1: api\.openapi\.directory has no effect, because "\.\.\/esc"/);
        assert.deepEqual(others, []);
        assert.deepEqual(await generatedPages(files), [
            ["api-reference/chat", "Chat"],
            ["api-reference/owned", "Owned"],
        ]);
    });

    it("in the settings applies to operations in the navigation", async () => {
        const files = {
            ...site({ "/a": get({ summary: "Owned" }) }),
            "docs.json": settings({ pages: ["GET /a"] }, { api: { openapi: { source: "o.json", directory: "rest" } } }),
        };
        assert.deepEqual(await generatedPages(files), [["rest/owned", "Owned"]]);
    });

    it("is another one if a tag has the name of a reserved folder", async () => {
        const group = { openapi: { source: "o.json", directory: "/" } };
        const paths = { "/a": get({ summary: "Owned", tags: ["static-export"] }) };
        assert.deepEqual(await generatedPages(site(paths, group)), [["api-reference/static-export/owned", "Owned"]]);
    });
});

describe("the name of a generated page", () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
    const long = words(60);
    const japanese = "操作".repeat(84);
    const shortName = (text: string) => Buffer.byteLength(text.split("/").at(-1) ?? "") <= 250;

    const places: [string, Files, string][] = [
        ["a summary", site({ "/a": get({ summary: long }) }), long],
        ["a summary without spaces", site({ "/a": get({ summary: japanese }) }), japanese],
        ["an operationId", site({ "/a": get({ operationId: long.replaceAll(" ", "") }) }), long.replaceAll(" ", "")],
        ["a path", site({ [`/${long.replaceAll(" ", "/")}`]: get({}) }), `GET /${long.replaceAll(" ", "/")}`],
        ["a title in x-mint", site({ "/a": get({ "x-mint": { metadata: { title: long } } }) }), long],
        [
            "an address in x-mint",
            site({ "/a": get({ summary: "A", "x-mint": { href: `/x/${"y".repeat(300)}` } }) }),
            "A",
        ],
        ["a tag", site({ "/a": get({ summary: "A", tags: [long] }) }), "A"],
        [
            "a webhook",
            site({}, { openapi: "o.json" }, { webhooks: { [long]: { post: { responses: {} } } } }),
            `POST ${long}`,
        ],
        [
            "a channel",
            {
                ...site({}, { asyncapi: "a.json" }),
                "a.json": JSON.stringify({ asyncapi: "3.0.0", info: {}, channels: { c: { title: long } } }),
            },
            long,
        ],
    ];
    for (const [what, files, title] of places) {
        it(`is cut if ${what} is too long for file systems, and the title is not`, async () => {
            const [[name, shown] = ["", ""], ...others] = await generatedPages(files);
            assert.ok(name.split("/").every(shortName), name);
            assert.equal(shown, title);
            assert.deepEqual(others, []);
        });
    }

    it("ends with a whole word if it is cut, and has a number if another page has it", async () => {
        const paths = { "/a": get({ summary: `${long} one` }), "/b": get({ summary: `${long} two` }) };
        const pages = (await generatedPages(site(paths))).sort(([one], [other]) => one.length - other.length);
        const [[first, title] = [""], [second] = [""]] = pages;
        assert.ok(`api-reference/${long.replaceAll(" ", "-")}`.startsWith(`${first}-`), first);
        assert.deepEqual([second, title], [`${first}-2`, `${long} one`]);
    });
});
