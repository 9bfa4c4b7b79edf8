import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { articleOf, config } from "../../support/one-page.js";
import { withExport, withFolder, writeFiles, type Files } from "../../support/site-fixture.js";

describe("snippets", () => {
    it("are shown on the pages that import them, with the values of their attributes", async () => {
        const { html, warnings } = await articleOf(
            'import Hello from "/snippets/hello.mdx"\n\n<Hello name="Ada" />\n',
            {
                "snippets/hello.mdx": "Hello **{name}**, also {props.name}.",
            },
        );
        assert.match(html, /<p>Hello <strong>Ada<\/strong>, also Ada\.<\/p>/);
        assert.deepEqual(warnings, []);
    });

    it("show the type and title of their callouts every time", async () => {
        const { html } = await articleOf('import Hint from "/snippets/hint.mdx"\n\n<Hint />\n\n<Hint />\n', {
            "snippets/hint.mdx": "> [!WARNING] Hot\n> Mind it.\n\n> [!TIP]\n> Do it.\n",
        });
        assert.equal(html.match(/<div class="callout warning" role="note" aria-label="Hot">/g)?.length, 2);
        assert.equal(html.match(/<div class="callout tip"/g)?.length, 2);
    });

    it("have their own footnotes each time", async () => {
        const use = "<S />\n\n";
        const { html } = await articleOf(`import S from "/snippets/s.mdx"\n\n${use.repeat(3)}`, {
            "snippets/s.mdx": "Text[^1].\n\n[^1]: Note.\n",
        });
        const idsOf = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, id]) => id);
        const notes = idsOf(/<li id="([^"]*)"/g);
        const references = idsOf(/<a[^>]* id="([^"]*)"/g);
        assert.equal(new Set(notes).size, 3);
        assert.equal(new Set(references).size, 3);
        assert.deepEqual(idsOf(/<sup><a[^>]*href="#([^"]*)"/g), notes);
        assert.deepEqual(idsOf(/href="#(user-content-fnref[^"]*)"/g), references);
    });

    it("are found by the names of their folders", async () => {
        const files = {
            "index.mdx": '# Home\n\nimport { Note } from "/components/note";\n\n<Note />\n',
            "components/note/index.tsx": "export const Note = () => <p>Of the folder.</p>;\n",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("index.html"), /<p>Of the folder\.<\/p>/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("can be next to the page, and can import other snippets", async () => {
        const { html } = await articleOf('import Outer from "./parts/outer.mdx"\n\n<Outer />\n', {
            "parts/outer.mdx": 'import Inner from "../parts/inner.md"\n\nouter <Inner />',
            "parts/inner.md": "inner",
        });
        assert.match(html, /outer [\s\S]*inner/);
    });

    it("may be imported between the tags of a component", async () => {
        const source =
            '<Steps>\n\n<Step title="One">\n\nimport Part from "/snippets/part.mdx"\n\n<Part />\n\n</Step>\n\n</Steps>\n';
        const { html, warnings } = await articleOf(source, { "snippets/part.mdx": "Shown." });
        assert.match(html, /<p>Shown\.<\/p>/);
        assert.deepEqual(warnings, []);
    });

    it("can have lower-case names, except the names of HTML elements", async () => {
        const source =
            'import fork from "/snippets/part.mdx"\nimport b from "/snippets/part.mdx"\n\n<fork />\n\n<b>Bold</b>\n';
        const { html, warnings } = await articleOf(source, { "snippets/part.mdx": "Shown." });
        assert.match(html, /<p>Shown\.<\/p>\n<b>Bold<\/b>$/);
        assert.deepEqual(warnings, []);
    });

    it("can have names that begin with an underscore, and are neither pages nor published files", async () => {
        const files = {
            "docs.json": config(),
            "a.mdx":
                'import Install from "./_install.mdx"\nimport Deep from "/guides/_parts/deep.mdx"\nimport data from "/_data/facts.json"\n\n<Install /> <Deep /> {data.fact}\n',
            "_install.mdx": "install it",
            "guides/_parts/deep.mdx": "deep",
            "_data/facts.json": '{ "fact": "true" }',
            "_data/picture.png": "x",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("a.html"), /install it[\s\S]*deep[\s\S]*true/);
            assert.deepEqual(
                (await site.files()).filter((name) => /install|deep|facts|picture/.test(name)),
                [],
            );
            assert.deepEqual(site.warnings, []);
        });
    });

    it("become the content of a page that re-exports a snippet as its default export", async () => {
        const { html, warnings } = await articleOf('export { default } from "./other.mdx"\n', {
            "other.mdx": "## Other\n\nits [link](a)",
        });
        assert.match(html, /<h2 id="other">[\s\S]*its <a href="a\.html">link/);
        assert.deepEqual(warnings, []);
    });

    it("become the content of a snippet that re-exports another snippet as its default export", async () => {
        const { html } = await articleOf('import Outer from "/snippets/outer.mdx"\n\n<Outer />\n', {
            "snippets/outer.mdx": 'export { default } from "./inner.mdx"',
            "snippets/inner.mdx": "inner text",
        });
        assert.match(html, /<p>inner text<\/p>/);
    });

    it("do not replace the content of a page if its default export is a layout", async () => {
        const { html } = await articleOf(
            "export default function Layout({ children }) {\n  return <section>{children}</section>\n}\n\nown text\n",
        );
        assert.match(html, /<section>\s*<p>own text<\/p>\s*<\/section>/);
    });

    it("receive the content between their tags, evaluated with the variables of the page", async () => {
        const { html } = await articleOf(
            'import Box from "/snippets/box.mdx"\n\nexport const who = "page"\n\n<Box>from {who}</Box>\n',
            { "snippets/box.mdx": 'export const who = "snippet"\n\n<Note>{children} and {who}</Note>' },
        );
        assert.match(html, /from page and snippet/);
    });

    it("are not exported as pages, even in the folder of older sites", async () => {
        const files = {
            "docs.json": config(),
            "a.mdx": '<Snippet file="old.mdx" />',
            "snippets/x.mdx": "x",
            "_snippets/old.mdx": "Old",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("a.html"), /<p>Old<\/p>/);
            assert.equal(site.pageCount, 1);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("are left out with a warning if they are missing, circular or outside of the site", async () => {
        const cases: [string, Files, RegExp][] = [
            ['import X from "/gone.mdx"\n\n<X />', {}, /^a\.mdx:1: the site has no file \/gone\.mdx$/],
            ['import X from "/s.mdx"\n\n<X />', { "s.mdx": 'import Y from "/s.mdx"\n\n<Y />' }, /imports itself/],
            ['import X from "../../etc/passwd"\n\n<X />', {}, /the site has no file/],
            ['<Snippet file="gone.mdx" />', {}, /<Snippet> is left out: the site has no file gone\.mdx/],
        ];
        for (const [page, others, warning] of cases) {
            const { warnings } = await articleOf(page, others);
            assert.match(warnings.join("\n"), warning);
        }
    });

    it("cause a page to be rendered again only if one of its snippets changes", async () => {
        await withFolder(async (folder) => {
            const site = join(folder, "site");
            const page = 'import S from "/snippets/s.mdx"\n\n<S />\n';
            await writeFiles(site, { "docs.json": config(), "a.mdx": page, "snippets/s.mdx": "one" });
            const run = async () => {
                await rm(join(folder, "out"), { recursive: true, force: true });
                const options = { sourceDir: site, outDir: join(folder, "out"), cacheDir: join(folder, "cache") };
                const { reusedCount } = await exportSite({ ...options, domain: "d.example.com" });
                return { reusedCount, html: await readFile(join(folder, "out/a.html"), "utf8") };
            };
            await run();
            assert.equal((await run()).reusedCount, 1);
            await writeFiles(site, { "snippets/s.mdx": "two" });
            const { reusedCount, html } = await run();
            assert.equal(reusedCount, 0);
            assert.match(html, /<p>two<\/p>/);
        });
    });
});

describe("values on pages", () => {
    it("come from the exports of the page or of an imported file", async () => {
        const { html, warnings } = await articleOf(
            'import { city, list } from "/snippets/values.mdx"\n\nexport const n = 2\n\nIn {city.name} {n + 1} {list.map((x) => <b key={x}>{x}</b>)} {`t-${n}`}\n',
            { "snippets/values.mdx": 'export const city = { name: "Oslo" }\nexport const list = ["a", "b"]\n' },
        );
        assert.match(html, /Oslo 3 <b>a<\/b><b>b<\/b> t-2/);
        assert.deepEqual(warnings, []);
    });

    it("include front matter and the variables of docs.json", async () => {
        const files = {
            "docs.json": config({ variables: { "api-url": "https://api.example.com" } }),
            "a.mdx": "---\ntitle: T\nplan: pro\n---\n\n{frontmatter.plan} {plan} `{{api-url}}` \\{\\{other}}\n",
        };
        await withExport(files, async (site) => {
            assert.match(
                await site.read("a.html"),
                /<p>pro pro <code>https:\/\/api\.example\.com<\/code> \{\{other\}\}<\/p>/,
            );
        });
    });

    it("can define the page's own components, even from a script", async () => {
        const { html, warnings } = await articleOf(
            'import { Price } from "/parts/price.jsx"\n\nexport const Box = ({ title, children }) => (\n  <Card title={title}>{children}</Card>\n)\n\n<Box title="T">**x**</Box>\n\n<Price amount={3} />\n',
            {
                "parts/price.jsx":
                    'import { useState } from "react";\nexport const Price = ({ amount, unit = "EUR" }) => {\n  const [shown] = useState(amount * 2);\n  return <p className="price">{shown > 5 ? "much" : "little"}: {shown} {unit}</p>;\n};\n',
            },
        );
        assert.match(html, /<p class="card-title">T<\/p><div class="card-body"><strong>x<\/strong>/);
        assert.match(html, /<p class="price">much: 6 EUR<\/p>/);
        assert.deepEqual(warnings, []);
    });

    it("are left out if a string is repeated endlessly or an address is invalid", async () => {
        const { html, warnings } = await articleOf('a{"x".repeat(1e9)}b{decodeURIComponent("%")}c\n');
        assert.match(html, /<p>abc<\/p>/);
        assert.equal(warnings.length, 2);
    });

    it("may be JSX in attributes", async () => {
        const { html } = await articleOf(
            '<Card title={<b>T</b>} icon={<svg viewBox="0 0 1 1"><path d="M0 0" /></svg>}>x</Card>\n',
        );
        assert.match(html, /<svg viewBox="0 0 1 1"><path d="M0 0"><\/path><\/svg>[\s\S]*<b>T<\/b>/);
    });

    it("are left out with a warning if evaluation fails, or shown literally if they are a plain name", async () => {
        const { html, warnings } = await articleOf(
            "# A\n\nSum {unknown} {1 + other} end\n\n<Card title={gone}>kept</Card>\n\n<button onClick={() => 1}>b</button>\n",
        );
        assert.match(html, /<p>Sum \{unknown\} {2}end<\/p>/);
        assert.match(html, /kept/);
        assert.match(html, /<button>b<\/button>/);
        assert.deepEqual(warnings, [
            "a.mdx:3: {unknown} is shown as it is written, because unknown has no value here: write \\{unknown} " +
                "if that is intended",
            "a.mdx:3: an expression is left out: other has no value here",
            "a.mdx:5: title in <Card> is left out: gone has no value here",
            "a.mdx:7: onClick in <button> is left out: an export does not run scripts of pages",
        ]);
    });
});

describe("JavaScript on pages", () => {
    it("cannot reach the process or its objects", async () => {
        const attempts = [
            "process.exit(1)",
            "globalThis.process",
            '"".constructor.constructor("return process")()',
            '[].map.constructor("return 1")()',
            "(() => {}).constructor",
            "({}).__proto__.polluted",
            'import("node:fs")',
            "new Date()",
            "fetch('https://example.com')",
            "Math.random()",
        ];
        const { html, warnings } = await articleOf(attempts.map((code) => `x{${code}}x`).join("\n\n"));
        assert.equal(html.match(/<p>xx<\/p>/g)?.length, attempts.length);
        assert.match(warnings.join("\n"), /process has no value here/);
        assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    });

    it("cannot multiply a snippet endlessly", async () => {
        const doubled = Object.fromEntries(
            Array.from({ length: 30 }, (_, n) => [
                `snippets/s${n}.mdx`,
                `import X from "/snippets/s${n + 1}.mdx"\n\n<X /><X />`,
            ]),
        ) as Files;
        const { warnings } = await articleOf('import X from "/snippets/s0.mdx"\n\n<X />', {
            ...doubled,
            "snippets/s30.mdx": "end",
        });
        assert.match(warnings.join("\n"), /the page computes too much/);
    });
});
