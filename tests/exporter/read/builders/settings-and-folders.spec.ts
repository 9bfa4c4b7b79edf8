import assert from "node:assert/strict";
import { titleOf, withProject } from "../../support/project-fixture.js";

describe("The settings of another builder", () => {
    it("are used for pages of the site even if they are in another package's folder", async () => {
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

    it("cause a warning that names the pages' folder if page addresses contain that folder only here", async () => {
        const starlight =
            'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "A" })] };';
        const files = { "astro.config.mjs": starlight, "src/content/docs/index.md": "---\ntitle: Home\n---\n" };
        await withProject(files, ".", ({ warnings }) => {
            assert.deepEqual(warnings, [
                "astro.config.mjs: the site's pages are in src/content/docs, which is a part of their addresses now, " +
                    "and links between them may be dead: export that folder. Settings around it are read, too",
            ]);
            return Promise.resolve();
        });
        await withProject(files, "src/content/docs", ({ warnings }) => Promise.resolve(assert.deepEqual(warnings, [])));
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
