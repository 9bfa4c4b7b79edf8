import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { privateSite } from "../support/private-site.js";
import {
    failureOf,
    listFiles,
    warningsOf,
    withExport,
    withFolder,
    withRepeatedExports,
} from "../support/site-fixture.js";

const suffix =
    ": the page is for certain readers, so it is left out. Use --access to export it for them, or " +
    "--publish-groups to export it for everybody";

describe("an export of a site with pages for certain readers", () => {
    it("omits all private content: pages, paths, titles, text, pictures, downloads, fields and groups", async () => {
        await withExport(privateSite, async ({ outDir, read, files }) => {
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

    it("contains all private pages, with a warning for each, if they are published to everybody", async () => {
        await withExport(
            privateSite,
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
                        "api.json: x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site can read the whole document",
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

    it("omits the settings' links to a private page, regardless of how the address is written", async () => {
        const addresses = [
            "/x/zebra",
            "x/zebra.md",
            "./x/zebra.html",
            "/x//zebra",
            "/pub/../x/zebra",
            "/x/./zebra/",
            "/X/Zebra",
            "/X/ZEBRA.html#a",
            "/x/z%65bra",
            "/docs/x/zebra?a=1",
            "https://docs.example.com/x/zebra",
            "//DOCS.example.com/x/zebra.html",
            "/old",
            "/older",
        ];
        const links = addresses.map((href, number) => ({ label: `Giraffe ${number}`, href }));
        const site = {
            "docs.json": JSON.stringify({
                name: "Docs",
                navbar: { links: [...links, { label: "Open", href: "https://example.com/x/zebra" }] },
                logo: { light: "/logo.png", href: "/x//zebra" },
                footer: { links: [{ header: "Giraffes", items: links }] },
                navigation: {
                    pages: ["index", "x/zebra"],
                    global: { anchors: links.map(({ label, href }) => ({ anchor: label, href })) },
                },
                redirects: [
                    { source: "/old", destination: "./x/zebra.html" },
                    { source: "/older", destination: "https://docs.example.com/X//zebra" },
                ],
            }),
            "index.md": "# Home",
            "logo.png": "logo",
            "x/zebra.md": "---\ntitle: Zebra\ngroups: [a]\n---\n",
        };
        await withExport(site, async ({ outDir, read }) => {
            for (const file of await listFiles(outDir)) {
                const text = await readFile(join(outDir, file), "utf8");
                assert.doesNotMatch(text.replaceAll("https://example.com/x/zebra", ""), /zebra|z%65bra|giraffe/i, file);
            }
            assert.match(await read("index.html"), /https:\/\/example\.com\/x\/zebra/);
        });
    });

    it("omits the settings' links and redirects to a document that is left out with its page", async () => {
        const addresses = ["/zebra.json", "./x/../zebra.json", "https://docs.example.com/zebra.json?a=1", "/old"];
        const site = {
            "docs.json": JSON.stringify({
                name: "Docs",
                navbar: { links: addresses.map((href) => ({ label: "Giraffe", href })) },
                navigation: {
                    pages: ["index", "a"],
                    global: { anchors: addresses.map((href) => ({ anchor: "Giraffe", href })) },
                },
                redirects: [{ source: "/old", destination: "/zebra.json" }],
            }),
            "index.md": "# Home",
            "a.md": "---\ngroups: [a]\nopenapi: zebra.json GET /a\n---\n",
            "zebra.json": JSON.stringify({ openapi: "3.1.0", paths: { "/a": { get: {} } } }),
        };
        await withExport(site, async ({ outDir }) => {
            for (const file of await listFiles(outDir)) {
                assert.doesNotMatch(await readFile(join(outDir, file), "utf8"), /zebra|giraffe/i, file);
            }
        });
    });

    it("warns about each omitted page with file and line", async () => {
        const found = await warningsOf({
            "index.md": "---\npublic: true\n---\n# Home",
            "a.md": "---\ntitle: A\ngroups: [admin]\n---\n",
            "b.md": "---\ntitle: B\npublic: false\n---\n",
            "c.md": "---\npublic: true\ngroups: []\n---\n",
        });
        assert.deepEqual(found, [`a.md:3: groups${suffix}`, `b.md:3: public: false${suffix}`]);
    });

    it("warns once about pages omitted for the same reason, and lists the other places", async () => {
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

    it("explains why a link to a private page is dead", async () => {
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

    it("fails if a private page is requested, or if no public page is left", async () => {
        const page = "---\ngroups: [admin]\n---\n";
        assert.equal(
            await failureOf({ "index.md": "# Home", "a.md": page }, { paths: ["/a"] }),
            "/a: the export was asked for this page, which is left out because it is for certain readers. Use " +
                "--access to export it for them, or --publish-groups to export it for everybody",
        );
        assert.match(
            await failureOf({ "a.md": page }),
            /^docs\.json: every page that the navigation lists is for certain readers .* --publish-groups$/,
        );
    });

    it("removes a page that has become private since the last export, and its picture", async () => {
        const open = "---\ntitle: Zebra\n---\n\n![Zebra](zebra.png)\n";
        const files = { "index.md": "# Home", "a.md": open, "zebra.png": "z" };
        await withRepeatedExports(files, async ({ sourceDir, cacheDir, again }) => {
            assert.equal((await again()).kept.pageCount, 2);
            await writeFile(join(sourceDir, "a.md"), open.replace("title", "groups: [admin]\ntitle"));
            assert.equal((await again()).kept.pageCount, 1);
            await withFolder(async (outDir) => {
                await exportSite({ sourceDir, cacheDir, outDir, domain: "docs.example.com" });
                const left = (await listFiles(outDir)).filter((file) => /^(?:a\.|zebra)/.test(file));
                assert.deepEqual(left, []);
            });
        });
    });
});
