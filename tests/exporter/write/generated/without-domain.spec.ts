import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

const files: Files = {
    "docs.json": JSON.stringify({
        navigation: {
            languages: [
                { language: "en", pages: ["index", "start"] },
                { language: "de", pages: ["de/index"] },
            ],
        },
        redirects: [{ source: "/old", destination: "/start" }],
        contextual: { options: ["copy", "chatgpt", "mcp"] },
        seo: { metatags: { "og:image": "/images/start.png" } },
    }),
    "index.md": "# Home\n",
    "de/index.md": "# Start\n",
    "start.mdx": '---\ntitle: Start\n---\n\n<Update label="November 2026">New</Update>\n',
    "images/start.png": "png",
};

describe("An export without a domain", () => {
    it("contains no address of this machine", async () => {
        const check = async (domain: string): Promise<string[]> => {
            const found: string[] = [];
            await withExport(
                files,
                async (site) => {
                    for (const file of await site.files()) {
                        if ((await site.read(file)).includes(`https://${domain}`)) {
                            found.push(file);
                        }
                    }
                },
                { domain },
            );
            return found;
        };
        assert.deepEqual(await check("localhost"), []);
        const named = await check("docs.example.com");
        for (const file of ["index.html", "old.html", "sitemap.xml", "robots.txt", "llms.txt", "llms-full.txt"]) {
            assert.ok(named.includes(file), file);
        }
    });

    it("lists its pages for programs by their paths", async () => {
        await withExport(
            files,
            async ({ read, files: list }) => {
                assert.match(await read("llms.txt"), /^- \[Start\]\(\/start\.md\)$/m);
                assert.equal(await read("robots.txt"), "User-agent: *\nAllow: /\n");
                assert.equal((await list()).includes("sitemap.xml"), false);
            },
            { domain: "localhost" },
        );
    });

    it("has the canonical addresses that the settings name", async () => {
        const settings = { seo: { metatags: { canonical: "https://docs.example.com" } } };
        const named = { "docs.json": JSON.stringify({ navigation: { pages: ["start"] }, ...settings }) };
        await withExport(
            { ...files, ...named },
            async ({ read }) => {
                const html = await read("start.html");
                assert.match(html, /<link rel="canonical" href="https:\/\/docs\.example\.com\/start">/);
                assert.match(html, /<meta property="og:url" content="https:\/\/docs\.example\.com\/start">/);
            },
            { domain: "localhost" },
        );
    });
});

describe("A site whose settings have a blank name", () => {
    it("is named after its domain, as without the setting", () =>
        withExport({ "docs.json": '{ "name": " " }', "index.md": "# Home\n" }, async ({ read }) => {
            assert.match(await read("index.html"), /<title>Home &ndash; docs\.example\.com<\/title>/);
        }));
});
