import assert from "node:assert/strict";
import { type Files, withExport } from "../../support/site-fixture.js";

async function listOf(files: Files): Promise<string> {
    let text = "";
    await withExport(files, async ({ read }) => {
        text = await read("llms.txt");
        assert.equal(await read(".well-known/llms.txt"), text);
    });
    return text;
}

const config = (navigation: object, settings: object = {}) => JSON.stringify({ name: "Docs", navigation, ...settings });

const pages = (...names: string[]) => Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]));

const line = (name: string) => `- [${name}](https://docs.example.com/${name}.md)\n`;

describe("the list of pages for language models", () => {
    it("has sections named after the navigation groups, in the order of the navigation", async () => {
        const navigation = {
            tabs: [
                { tab: "Guides", groups: [{ group: "First", pages: ["b", { group: "Inner", pages: ["a"] }] }] },
                { tab: "API", pages: ["c"] },
            ],
        };
        assert.equal(
            await listOf({ ...pages("a", "b", "c"), "docs.json": config(navigation) }),
            `# Docs\n\n## Guides – First\n\n${line("b")}${line("a")}\n## API\n\n${line("c")}`,
        );
    });

    it("contains descriptions without their links, which would lead to other places from here", async () => {
        const files = {
            "docs.json": config({ pages: ["a"] }, { description: "See [all](/a)" }),
            "a.md": '---\ntitle: a\ndescription: "Of [the *guide*](/guide), _new_"\n---\n',
        };
        assert.equal(await listOf(files), `# Docs\n\n> See all\n\n## Docs\n\n${line("a").trim()}: Of the guide, new\n`);
    });

    it("begins with the site's description, and describes pages by their first paragraph", async () => {
        const description = `First\n  line\n\n  Second paragraph`;
        const files = {
            "docs.json": config({ pages: ["a", "b"] }, { description: "Of\nall things" }),
            "a.md": `---\ntitle: A\ndescription: |\n  ${description}\n---\n`,
            "b.md": `---\ntitle: B\ndescription: ${"x".repeat(301)}\n---\n`,
        };
        const [a, b] = [line("a").replace("[a]", "[A]"), line("b").replace("[b]", "[B]")].map((text) => text.trim());
        assert.equal(
            await listOf(files),
            `# Docs\n\n> Of all things\n\n## Docs\n\n${a}: First line\n${b}: ${"x".repeat(299)}…\n`,
        );
    });

    it("lists only the default language and version", async () => {
        const navigation = {
            languages: [
                {
                    language: "en",
                    versions: [
                        { version: "v1", pages: ["v1"] },
                        { version: "v2", default: true, pages: ["v2"] },
                    ],
                },
                { language: "fr", pages: ["fr"] },
            ],
        };
        const files = { ...pages("v1", "v2", "fr"), "docs.json": config(navigation, { seo: { indexing: "all" } }) };
        assert.equal(await listOf(files), `# Docs\n\n## Docs\n\n${line("v2")}`);
        await withExport(files, async ({ read }) => {
            const full = await read("llms-full.txt");
            assert.match(full, /# v2/);
            assert.doesNotMatch(full, /# v1|# fr/);
        });
    });

    it("lists pages outside of the navigation last, if the site allows listing them", async () => {
        const navigation = { groups: [{ group: "Start", pages: ["b"] }] };
        const settings = { seo: { indexing: "all" } };
        assert.equal(
            await listOf({ ...pages("b", "d", "c"), "docs.json": config(navigation, settings) }),
            `# Docs\n\n## Start\n\n${line("b")}\n## Docs\n\n${line("c")}${line("d")}`,
        );
    });

    it("names the API documents of the site, and the external links in the navigation", async () => {
        const api = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths: { "/pets": { get: {} } } };
        const forum = { anchor: "Forum", href: "https://forum.example.com" };
        const groups = [{ group: "API", openapi: "specs/pets.json" }];
        const navigation = { groups, global: { anchors: [forum] } };
        const text = await listOf({ "docs.json": config(navigation), "specs/pets.json": JSON.stringify(api) });
        assert.ok(
            text.endsWith(
                "## OpenAPI Specs\n\n- [pets](https://docs.example.com/specs/pets.json)\n\n" +
                    "## Optional\n\n- [Forum](https://forum.example.com)\n",
            ),
            text,
        );
    });

    it("shortens descriptions if the list is too long, and then omits and counts entries", async () => {
        const site = (count: number, description: string): Files => {
            const names = Array.from({ length: count }, (_, at) => `page-${at}`);
            const text = (name: string) => `---\ntitle: ${name}\ndescription: ${description}\n---\n`;
            return {
                "docs.json": config({ pages: names }),
                ...Object.fromEntries(names.map((name) => [`${name}.md`, text(name)])),
            };
        };
        const shortened = await listOf(site(500, "word ".repeat(59).trim()));
        assert.ok(shortened.length > 95_000 && shortened.length <= 100_000, String(shortened.length));
        assert.equal(shortened.match(/^- /gm)?.length, 500);
        assert.match(shortened, /: word word .*…$/m);
        const cut = await listOf(site(2500, "Text"));
        assert.ok(cut.length > 95_000 && cut.length <= 100_000, String(cut.length));
        const shown = cut.match(/^- /gm)?.length ?? 0;
        const note = `> This list leaves out ${2500 - shown} of 2500 pages. All pages: https://docs.example.com/sitemap.xml\n`;
        assert.ok(cut.endsWith(`\n\n${note}`), cut.slice(-300));
    });

    it("is replaced by the site's own file, also at the well-known address", async () => {
        assert.equal(await listOf({ ...pages("a"), "llms.txt": "# Own\n" }), "# Own\n");
    });

    it("excludes pages for certain readers, with their descriptions, documents and links", async () => {
        const api = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths: { "/secret": { get: {} } } };
        const files = {
            "docs.json": config({ pages: ["open", "closed", "api"] }),
            "open.md": "# Open\n",
            "closed.md": "---\ntitle: Narwhal\ngroups: [a]\ndescription: Narwhal plan\n---\nNarwhal text",
            "api.md": "---\ntitle: Narwhal\ngroups: [a]\nopenapi: narwhal.json GET /secret\n---\n",
            "narwhal.json": JSON.stringify(api),
        };
        for (const privatePages of ["leave-out", "keep-apart"] as const) {
            await withExport(
                files,
                async ({ read, outDir }) => {
                    const names = ["llms.txt", "llms-full.txt", ".well-known/llms.txt", ".well-known/llms-full.txt"];
                    for (const name of [...names, "static-export/pages-1.json"]) {
                        assert.doesNotMatch(await read(name), /narwhal/i, `${name} in ${outDir}`);
                    }
                },
                { privatePages },
            );
        }
    });
});
