import assert from "node:assert/strict";
import { failureOf, warningsOf, withExport } from "../../support/site-fixture.js";

const proposal = (builder: string, command: string, output: string, base = "") =>
    `these are settings of ${builder}, which renders the site with all of its features: ` +
    `static-export build FOLDER ${base}--command "${command}" --output-folder ${output}`;

const page = { "a.md": "# A" };
const withPackage = (name: string) => ({ ...page, "package.json": JSON.stringify({ dependencies: { [name]: "1" } }) });

/** Settings files of a site, and the command that they propose. */
const examples: readonly (readonly [files: Record<string, string>, file: string, ...proposal: string[]])[] = [
    [{ "zensical.toml": "[project]" }, "zensical.toml", "Zensical", "zensical build", "site"],
    [{ "rspress.config.ts": "" }, "rspress.config.ts", "Rspress", "npx rspress build", "doc_build"],
    [{ ".eleventy.js": "" }, ".eleventy.js", "Eleventy", "npx @11ty/eleventy", "_site"],
    [{ ".vitepress/config/index.ts": "" }, ".vitepress/config", "VitePress", "npx vitepress build", ".vitepress/dist"],
    [{ ".vuepress/config.js": "" }, ".vuepress/config.js", "VuePress", "npx vuepress build", ".vuepress/dist"],
    [{ "config/_default/hugo.toml": "" }, "config/_default/hugo.toml", "Hugo", "hugo", "public"],
    [{ "config.toml": "baseURL = '//a.test'" }, "config.toml", "Hugo", "hugo", "public"],
    [{ "config.yaml": "title: A\nbaseurl: //a.test" }, "config.yaml", "Hugo", "hugo", "public"],
    [{ "config.json": '{ "baseURL": "//a.test" }' }, "config.json", "Hugo", "hugo", "public"],
    [{ "config.toml": 'base_url = "https://a.test"' }, "config.toml", "Zola", "zola build", "public"],
    [{ "_config.yml": "title: A" }, "_config.yml", "Jekyll", "bundle exec jekyll build", "_site"],
    [{ "_config.yml": "title: A", ...withPackage("hexo") }, "_config.yml", "Hexo", "npx hexo generate", "public"],
    [
        { "next.config.mjs": 'export default { output: "export" };' },
        "next.config.mjs",
        "Next.js or Nextra",
        "npx next build",
        "out",
    ],
    [
        { "docs-site.yml": "site:\n  title: A\ncontent:\n  sources:\n  - url: .\n" },
        "docs-site.yml",
        "Antora",
        "npx antora docs-site.yml",
        "build/site",
    ],
    [{ "book.json": "{}", ...withPackage("honkit") }, "book.json", "HonKit", "npx honkit build", "_book"],
];

describe("The settings of another builder", () => {
    it("propose its command if the folder has no pages", async () => {
        assert.equal(
            await failureOf({ "conf.py": "", "index.rst": "" }),
            `conf.py: ${proposal("Sphinx", "sphinx-build . _build/html", "_build/html")}`,
        );
    });

    it("propose its command in one warning if the folder is exported as plain Markdown", async () => {
        const files = { "book.toml": "", "src/index.md": "# A", "src/b.md": "# B" };
        assert.deepEqual(await warningsOf(files), [`book.toml: ${proposal("mdBook", "mdbook build", "book")}`]);
    });

    for (const [files, file, builder = "", command = "", output = ""] of examples) {
        it(`propose "${command}" for ${builder} with ${Object.keys(files)[0]}`, async () => {
            assert.deepEqual(await warningsOf({ ...page, ...files }), [
                `${file}: ${proposal(builder, command, output)}`,
            ]);
        });
    }

    it("propose nothing if other programs have settings of this name", async () => {
        const others = {
            "config.toml": 'key = "value"',
            "config.json": "{}",
            "next.config.js": "export default {};",
            "book.json": "{}",
            "compose.yml": "content:\n  other: 1\n",
        };
        assert.deepEqual(await warningsOf({ ...page, ...others }), []);
    });

    it("propose the command in .readthedocs.yaml", async () => {
        const settings = { "docs/source/conf.py": "", ".readthedocs.yaml": "sphinx: {}", "docs/.readthedocs.yaml": "" };
        const command = proposal("Sphinx", "", "").replace(/ --command .*/, " --command");
        assert.deepEqual(await warningsOf({ ...page, ...settings }), [`docs/source/conf.py: ${command}`]);
    });

    it("propose the folder of a repository's documentation", async () => {
        assert.deepEqual(await warningsOf({ ...page, "docs/conf.py": "" }), [
            `docs/conf.py: ${proposal("Sphinx", "sphinx-build . _build/html", "_build/html", "--base-folder docs ")}`,
        ]);
        assert.deepEqual(await warningsOf({ ...page, "docs/.vitepress/config.ts": "" }), [
            "docs/.vitepress/config.ts: " +
                proposal("VitePress", "npx vitepress build", ".vitepress/dist", "--base-folder docs "),
        ]);
    });

    it("are not read, not even the hidden ones of VitePress", async () => {
        const files = { ".vitepress/config.ts": 'export default { title: "Not shown" };', "b.md": "# B" };
        const preset = proposal("VitePress", "npx vitepress build", ".vitepress/dist");
        await withExport(files, async ({ read, warnings }) => {
            assert.doesNotMatch(await read("b.html"), /Not shown/);
            assert.deepEqual(
                warnings.map(({ reason }) => reason),
                [preset],
            );
        });
    });

    it("propose nothing next to a docs.json, or in a folder of other things", async () => {
        const docs = JSON.stringify({ name: "A", navigation: { pages: ["a"] } });
        assert.deepEqual(await warningsOf({ "docs.json": docs, "book.toml": "", "a.md": "# A" }), []);
        assert.deepEqual(await warningsOf({ "examples/book.toml": "", "a.md": "# A" }), []);
    });
});
