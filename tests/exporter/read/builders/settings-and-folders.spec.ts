import assert from "node:assert/strict";
import { titleOf, withProject } from "../../support/project-fixture.js";

describe("The settings of another builder", () => {
    it("are used for pages of the site even if the settings are in another package's folder", async () => {
        const files = {
            "packages/website/docusaurus.config.mts":
                'export default { title: "Of a package", presets: [["classic", { docs: { path: "../../docs" } }]] };',
            "docs/home.md": "# Home\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.equal(titleOf(await read("home.html")), "Home – Of a package");
        });
    });

    describe("in the root folder of a Starlight project", () => {
        const files = {
            "astro.config.mjs":
                'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "A", ' +
                'sidebar: [{ label: "Guides", autogenerate: { directory: "guides" } }] })] };',
            "README.md": "# For contributors\n",
            Dockerfile: "FROM scratch\n",
            "src/assets/moon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
            "public/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
            "src/content/docs/index.md": "---\ntitle: Home\n---\n[Start](/guides/start/) ![logo](/logo.svg)\n",
            "src/content/docs/guides/start.md":
                "---\ntitle: Start\n---\n![moon](../../../assets/moon.svg) [next](./next.md) [home](../index.md)\n",
            "src/content/docs/guides/next.md": "---\ntitle: Next\n---\nText\n",
        };

        it("give pages their addresses in Starlight, and publish no other files of the project", async () => {
            await withProject(files, ".", async ({ read, warnings }) => {
                assert.deepEqual(warnings, []);
                const home = await read("index.html");
                assert.equal(titleOf(home), "Home – A");
                assert.match(home, /Guides[^]*href="guides\/next\.html"[^]*href="guides\/start\.html"/);
                assert.doesNotMatch(await read("llms.txt"), /contributors|src\/content/);
                await assert.rejects(read("Dockerfile"), /ENOENT/);
            });
        });

        it("let pages link to pictures next to the folder, and to pages by file names", async () => {
            await withProject(files, ".", async ({ read }) => {
                const page = await read("guides/start.html");
                assert.match(page, /<img src="\.\.\/src\/assets\/moon\.svg"/);
                assert.match(page, /<a href="next\.html">next<\/a> <a href="\.\.\/index\.html">home/);
                assert.match(await read("index.html"), /<img src="public\/logo\.svg"/);
                assert.match(await read("public/logo.svg"), /^<svg/);
            });
        });

        it("give pages their addresses in Starlight even if the settings cannot be read", async () => {
            const broken = { ...files, "astro.config.mjs": "throw new Error('no network'); export default {};" };
            await withProject(broken, ".", async ({ read }) => {
                const page = await read("guides/start.html");
                assert.match(page, /class="sidebar"[^]*Guides[^]*href="next\.html"/);
            });
        });

        it("leave out other languages from the first language's sidebar", async () => {
            const starlight =
                'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "A", ' +
                'defaultLocale: "root", locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch" } } })] };';
            const both = {
                "astro.config.mjs": starlight,
                "src/content/docs/index.md": "---\ntitle: Home\n---\n",
                "src/content/docs/de/index.md": "---\ntitle: Start\n---\n",
            };
            await withProject(both, ".", async ({ read, warnings }) => {
                assert.deepEqual(warnings, []);
                assert.match(await read("de.html"), /<html lang="de"/);
                assert.doesNotMatch(
                    /<nav class="sidebar"[^]*?<\/nav>/.exec(await read("index.html"))?.[0] ?? "",
                    />De</,
                );
            });
        });
    });

    it("give the pages of MkDocs addresses without their folder", async () => {
        const project = { "mkdocs.yml": "site_name: A\n", "docs/index.md": "# Home\n", "docs/b/c.md": "# C\n" };
        await withProject(project, ".", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.match(await read("index.html"), /href="b\/c\.html"/);
        });
    });

    it("give the pages of VitePress addresses without the folder that the settings name", async () => {
        const config =
            'export default { title: "A", srcDir: "./pages", themeConfig: { sidebar: [{ text: "C", link: "/b/c" }] } };';
        const project = { ".vitepress/config.js": config, "pages/index.md": "# Home\n", "pages/b/c.md": "# C\n" };
        await withProject(project, ".", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.match(await read("index.html"), /class="sidebar"[^]*href="b\/c\.html"/);
        });
    });

    it("keep the addresses of Docusaurus, where a page can replace part or all of its address", async () => {
        const files = {
            "docusaurus.config.js": 'export default { title: "A", presets: [["classic", { docs: {} }]] };',
            "docs/01-HomePage.md": "---\nid: home\n---\n[one](guides/one#part) [two](/docs/two) [three](three)\n",
            "docs/guides/PageOne.md": "---\nid: one\n---\n## Part\n",
            "docs/guides/PageTwo.md": "---\nslug: /two\n---\nText\n",
            "docs/three.md": "---\nslug: three\n---\nText\n",
        };
        await withProject(files, ".", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const home = await read("docs/01-HomePage.html");
            assert.match(home, /href="guides\/PageOne\.html#part">one<[^]*href="guides\/PageTwo\.html">two</);
            assert.match(home, /href="three\.html">three</);
            assert.match(await read("docs/home.html"), /url=01-HomePage\.html/);
        });
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.match(await read("two.html"), /url=guides\/PageTwo\.html/);
        });
    });

    it("provide the name and the navigation for MkDocs", async () => {
        const files = {
            "mkdocs.yml": `site_name: Make docs
nav:
  - Home: index.md
  - User guide:
      - guide/install.md
      - guide/use.md
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`,
            "docs/index.md": "# Welcome\n",
            "docs/guide/use.md": "# Use\n",
            "docs/guide/install.md": "# Install\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const home = await read("index.html");
            assert.equal(titleOf(home), "Welcome – Make docs");
            assert.match(home, /User guide[\s\S]*Install[\s\S]*Use/);
        });
    });

    it("can contain unnamed MkDocs sections, which are named after their first page", async () => {
        const files = {
            "mkdocs.yml": 'site_name: A\nnav:\n  - index.md\n  - "":\n      - guide/index.md\n      - guide/use.md\n',
            "docs/index.md": "# Welcome\n",
            "docs/guide/index.md": "Text\n\n# The guide { #guide }\n",
            "docs/guide/use.md": "# Use\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            assert.match(await read("index.html"), /<p class="group-title">The guide<\/p>/);
        });
    });
});
