import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/index.js";
import {
    failureOf,
    listFiles,
    warningsOf,
    withExport,
    withFolder,
    withRepeatedExports,
} from "../support/site-fixture.js";

const suffix = ": the page is for certain readers, so it is left out; --publish-groups publishes it to everybody";

const docs = (settings: object) => JSON.stringify({ name: "Docs", ...settings });

/** Everything private in this site has the word "zebra" in it: titles, texts, paths, groups, pictures. */
const site = {
    "docs.json": docs({
        navigation: {
            tabs: [
                {
                    tab: "Guides",
                    groups: [
                        { group: "Start", pages: ["index", "guides/open", "guides/zebra-one"] },
                        { group: "Zebra links", pages: [{ group: "Zebra only", pages: ["zebra-two"] }] },
                        {
                            group: "Cards",
                            root: "cards",
                            directory: "card",
                            pages: ["guides/open", "guides/zebra-one"],
                        },
                    ],
                },
                {
                    tab: "Partly",
                    public: false,
                    pages: ["zebra-three", { group: "Within", public: true, pages: ["within"] }],
                },
                { tab: "Zebra link", href: "/guides/zebra-one" },
                { tab: "API", openapi: "api.json" },
            ],
            global: { anchors: [{ anchor: "Zebra anchor", href: "/zebra-two" }] },
        },
        navbar: { links: [{ label: "Zebra bar", href: "/guides/zebra-one" }] },
        footer: { links: [{ header: "More", items: [{ label: "Zebra foot", href: "/zebra-old" }] }] },
        redirects: [
            { source: "/zebra-old", destination: "/guides/zebra-one" },
            { source: "/zebra-all/*", destination: "/zebra-two" },
            { source: "/old", destination: "/guides/open" },
        ],
        seo: { indexing: "all" },
    }),
    "index.mdx": "---\ntitle: Home\n---\n\n![Shared](/images/shared.png)\n",
    "cards.md": "# Cards\n",
    "within.md": "# Within\n",
    "guides/open.md": "---\ntitle: Open\nrelated: [/guides/open]\n---\n\nText\n",
    "guides/zebra-one.mdx": [
        "---\ntitle: Zebra one\ndescription: Zebra described\ngroups: [zebras]\nog:image: /images/zebra-preview.png\n---",
        'import { Badge } from "/snippets/zebra-badge.jsx";',
        "![Zebra](/images/zebra.png) ![Shared](/images/shared.png) [Zebra file](/files/zebra.pdf)",
        '<div className="before:content-[zebra]"><Badge /></div>',
        '<Update label="Zebra 1" description="zebra">Zebra update</Update>',
    ].join("\n\n"),
    "zebra-two.md": "---\ngroups: zebras\npublic: true\n---\n# Zebra two\n",
    "zebra-three.md": "# Zebra three\n",
    "unlisted/zebra.md": "---\ntitle: Zebra unlisted\npublic: false\n---\nZebra text\n",
    "snippets/zebra-badge.jsx": 'export const Badge = () => <img src="/images/zebra-badge.png" alt="zebra" />;\n',
    "images/shared.png": "shared",
    "images/zebra.png": "zebra",
    "images/zebra-preview.png": "zebra",
    "images/zebra-badge.png": "zebra",
    "images/styled.png": "styled",
    "site.css": "main { background: url(/images/styled.png) }\n",
    "files/zebra.pdf": "zebra",
    "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        paths: {
            "/things": {
                get: {
                    summary: "List things",
                    parameters: [
                        {
                            name: "zebra-filter",
                            in: "query",
                            schema: { type: "string" },
                            "x-mint": { groups: ["zebras"] },
                        },
                        { name: "size", in: "query", schema: { type: "string" } },
                    ],
                    responses: {
                        "200": {
                            description: "OK",
                            links: { next: { operationId: "zebraOperation" } },
                            content: {
                                "application/json": {
                                    schema: { $ref: "#/components/schemas/Thing" },
                                    example: {
                                        id: 7,
                                        zebra: "zebra",
                                        plan: "zebra plan",
                                        deep: [{ zebra: 1, kept: 2 }],
                                    },
                                },
                            },
                        },
                    },
                },
                post: {
                    operationId: "zebraOperation",
                    summary: "Zebra operation",
                    "x-mint": { groups: ["zebras"] },
                    responses: {},
                },
            },
        },
        components: {
            schemas: {
                Thing: {
                    type: "object",
                    required: ["id", "zebra"],
                    properties: {
                        id: { type: "integer", description: "Shown number" },
                        zebra: { type: "string", description: "Zebra field", "x-mint": { groups: ["zebras"] } },
                        secret: { $ref: "#/components/schemas/Zebra" },
                        plan: {
                            type: "string",
                            enum: ["free", "zebra plan"],
                            default: "zebra plan",
                            "x-mint-enum": { "zebra plan": ["zebras"] },
                        },
                        either: {
                            oneOf: [
                                { title: "Zebra variant", type: "string", "x-mint": { groups: ["zebras"] } },
                                { title: "Plain variant", type: "string", description: "Shown variant" },
                            ],
                        },
                    },
                },
                Zebra: { type: "object", description: "Zebra model", "x-mint": { groups: ["zebras"] } },
            },
        },
    }),
};

describe("an export of a site with pages for certain readers", () => {
    it("has nothing of them: no page, path, title, text, picture, download, field or name of a group", async () => {
        await withExport(site, async ({ outDir, read, files }) => {
            for (const file of await listFiles(outDir)) {
                assert.doesNotMatch(file, /zebra/i);
                const text = await readFile(join(outDir, file), "utf8");
                assert.doesNotMatch(text, /zebra/i, `${file} has something of a private page`);
            }
            const published = await files();
            for (const file of [
                "guides/open.html",
                "within.html",
                "images/shared.png",
                "images/styled.png",
                "site.css",
            ]) {
                assert.ok(published.includes(file), `${file} is missing`);
            }
            assert.ok(!published.includes("api.json"));
            const api = await read("api-reference/list-things.html");
            for (const shown of ["Shown number", "Shown variant", "free", "size", "kept"]) {
                assert.ok(api.includes(shown), `the page of the operation does not show ${shown}`);
            }
        });
    });

    it("has all of them, with a warning for each, if they are published to everybody", async () => {
        await withExport(
            site,
            async ({ files, read, warnings }) => {
                const published = await files();
                for (const file of [
                    "guides/zebra-one.html",
                    "zebra-two.md",
                    "images/zebra.png",
                    "files/zebra.pdf",
                    "api.json",
                ]) {
                    assert.ok(published.includes(file), `${file} is missing`);
                }
                assert.match(await read("api-reference/list-things.html"), /Zebra field/);
                const told = warnings
                    .filter(({ kind }) => kind === "access")
                    .map(({ file, reason }) => `${file}: ${reason}`);
                assert.deepEqual(
                    told.map((text) => text.split(" has no effect")[0]),
                    [
                        "api.json: x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site reads the whole document",
                        "guides/zebra-one.mdx: groups",
                        "unlisted/zebra.md: public: false",
                        "zebra-three.md: public: false in the navigation",
                        "api.json: x-mint.groups",
                    ],
                );
            },
            { privatePages: "publish" },
        );
    });

    it("warns of each page that is left out, with file and line", async () => {
        const found = await warningsOf({
            "index.md": "# Home",
            "a.md": "---\ntitle: A\ngroups: [admin]\n---\n",
            "b.md": "---\ntitle: B\npublic: false\n---\n",
            "c.md": "---\npublic: true\ngroups: []\n---\n",
        });
        assert.deepEqual(found, [`a.md:3: groups${suffix}`, `b.md:3: public: false${suffix}`]);
    });

    it("warns once of pages that are left out for one reason, with the places of the others", async () => {
        const page = "---\ngroups: [admin]\n---\n";
        await withExport({ "index.md": "# Home", "a.md": page, "b.md": page }, ({ warnings, warningCounts }) => {
            assert.deepEqual(warningCounts, { access: 2 });
            assert.deepEqual(warnings, [
                {
                    kind: "access",
                    file: "a.md",
                    line: 2,
                    reason: `groups${suffix}`,
                    elsewhere: { count: 1, places: [{ file: "b.md", line: 2 }] },
                },
            ]);
        });
    });

    it("says of a link to such a page why it is dead", async () => {
        const found = await warningsOf({
            "index.md": "# Home\n\n[A](a.md)\n",
            "a.md": "---\ngroups: [admin]\n---\n",
        });
        assert.ok(
            found.includes(
                "index.md:3: the link a.md leads to a.md, which is left out because it is for certain readers",
            ),
            found.join("\n"),
        );
    });

    it("fails if such a page is asked for, and if no other page is left", async () => {
        const page = "---\ngroups: [admin]\n---\n";
        assert.equal(
            await failureOf({ "index.md": "# Home", "a.md": page }, { paths: ["/a"] }),
            "/a: paths asks for this page, which is for certain readers and so left out; --publish-groups publishes it to everybody",
        );
        assert.match(
            await failureOf({ "a.md": page }),
            /^docs\.json: every page that the navigation lists is for certain readers .* --publish-groups$/,
        );
    });

    it("no longer has a page that has become private since the last export, nor its picture", async () => {
        const open = "---\ntitle: Zebra\n---\n\n![Zebra](zebra.png)\n";
        const files = { "index.md": "# Home", "a.md": open, "zebra.png": "z" };
        await withRepeatedExports(files, async ({ siteDir, cacheDir, again }) => {
            assert.equal((await again()).kept.pageCount, 2);
            await writeFile(join(siteDir, "a.md"), open.replace("title", "groups: [admin]\ntitle"));
            assert.equal((await again()).kept.pageCount, 1);
            await withFolder(async (outDir) => {
                await exportSite({ siteDir, cacheDir, outDir, domain: "docs.example.com" });
                const left = (await listFiles(outDir)).filter((file) => /^(?:a\.|zebra)/.test(file));
                assert.deepEqual(left, []);
            });
        });
    });
});
