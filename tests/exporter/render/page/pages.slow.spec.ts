import assert from "node:assert/strict";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";
import { articleOf } from "../../support/one-page.js";

describe("a Markdown page", () => {
    it("keeps a footnote of a snippet apart from the page's own with the same name", async () => {
        const { html, warnings } = await articleOf(
            'import Noted from "/snippets/noted.md";\n\nOne[^1].\n\n<Noted />\n\n[^1]: Of the page.\n',
            { "snippets/noted.md": "Two[^1].\n\n[^1]: Of the snippet.\n" },
        );
        const textAt = (word: string) => {
            const [, id = ""] = new RegExp(`${word}<sup><a href="#([^"]*)"`).exec(html) ?? [];
            return html
                .slice(html.indexOf(`<li id="${id}"`))
                .replace(/<\/li>[^]*/, "")
                .replace(/<[^>]*>/g, "")
                .trim();
        };
        assert.match(textAt("One"), /^Of the page\./);
        assert.match(textAt("Two"), /^Of the snippet\./);
        assert.deepEqual(warnings, []);
    });

    it("uses a formula's global definitions in the formulas that follow it", async () => {
        const { html, warnings } = await articleOf(
            "$$\\gdef\\acme{\\mathbb{A}} x \\in \\acme$$\n\nThen $f : \\acme$ and <Latex>\\acme</Latex>.\n",
        );
        assert.equal(html.match(/<mi mathvariant="double-struck">A<\/mi>|<mi>𝔸<\/mi>/g)?.length, 3);
        assert.deepEqual(warnings, []);
    });

    it("makes a wide table scrollable, also by keyboard", async () => {
        assert.match(
            await exportPage("a.md", "|a|\n|-|\n|1|"),
            /<div class="table" role="group" aria-label="Table" tabindex="0"><table>/,
        );
    });

    it("renders GitHub's alerts as callouts, and other quotes as quotes", async () => {
        const html = await exportPage("a.md", "> [!WARNING]\n> Hot\n\n> Said\n");
        assert.match(html, /<div class="callout warning" role="note" aria-label="Warning">[\s\S]*Hot/);
        assert.match(html, /<blockquote>\n<p>Said/);
        assert.doesNotMatch(html, /\[!WARNING\]/);
    });

    it("titles alerts as GitHub does", async () => {
        const html = await exportPage(
            "a.md",
            "> [!IMPORTANT]\n> Save.\n\n> [!CAUTION]\n> Hot.\n\n> [!caution] Own\n> Hot.\n",
        );
        const titles = [...html.matchAll(/<p class="callout-title">([^<]*)/g)].map(([, title]) => title);
        assert.deepEqual(titles, ["Important", "Caution", "Own"]);
    });

    it("shows a code block's title", async () => {
        assert.match(
            await exportPage("a.md", '```ts title="main.ts" {1}\na\n```'),
            /<div class="code-title">main.ts<\/div>/,
        );
        assert.match(
            await exportPage("a.md", "```ts index.ts {1-2} lines\na\n```"),
            /<div class="code-title">index.ts<\/div>/,
        );
        assert.doesNotMatch(await exportPage("a.md", "```ts {1}\na\n```"), /code-title/);
    });

    it("gives headings unique anchors, and lists the headings in the table of contents", async () => {
        await withExport({ "a.md": "## One\n\n### Two `code`\n\n## One\n\n## Named {#given}\n" }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<h2 id="one">One<a class="anchor" href="#one"/);
            assert.match(html, /<h2 id="one-2"><span id="one-1"><\/span>One/);
            const toc = /<aside class="toc"[^>]*>[\s\S]*<\/aside>/.exec(html)?.[0] ?? "";
            assert.deepEqual(
                [...toc.matchAll(/href="([^"]*)"/g)].map((match) => match[1]),
                ["#one", "#two-code", "#one-2", "#given"],
            );
        });
    });

    it("leaves out a heading without text, and does not list a heading that is a picture", async () => {
        const source = "# A\n\n##\n\n## ![Logo](https://example.com/a.png)\n\n## B\n\n## C\n";
        await withExport({ "a.md": source }, async (site) => {
            const html = await site.read("a.html");
            assert.equal(html.match(/<h2/g)?.length, 3);
            assert.match(html, /<h2 id="section"><img [^>]*><\/h2>/);
            assert.deepEqual(
                [...html.matchAll(/<li class="depth-2"><a href="#(.*?)"/g)].map(([, id]) => id),
                ["b", "c"],
            );
        });
    });

    it("adds no anchor link to a heading within a link, because links cannot be nested", async () => {
        const html = await exportPage("a.mdx", '# A\n\n<a href="https://example.com"><h3>B</h3></a>\n\n## C\n');
        assert.match(html, /<a href="https:\/\/example.com"><h3 id="b">B<\/h3><\/a>/);
        assert.match(html, /<h2 id="c">C<a class="anchor"/);
    });

    it("makes an HTML pre element scrollable by keyboard", async () => {
        assert.match(await exportPage("a.mdx", "<pre>\n  x\n</pre>\n"), /<pre tabindex="0">/);
    });

    it("keeps the summary of a details element in its valid position", async () => {
        const html = await exportPage("a.mdx", "<details>\n<summary>More</summary>\nText of it\n</details>\n");
        assert.match(html, /<details>\s*<summary>More<\/summary>\s*Text of it\s*<\/details>/);
    });

    it("shows the title and description of the front matter, unless the page has its own heading", async () => {
        const html = await exportPage("a.md", "---\ntitle: A & B\ndescription: Lead\n---\n\nText");
        assert.match(html, /^<header[^>]*>\n<h1[^>]*>A &amp; B<\/h1>\n<p class="lead">Lead<\/p>/);
        assert.equal(await exportPage("a.md", "---\ntitle: A\n---\n\n# Own\n"), '<h1 id="own">Own</h1>');
    });

    it("renders Markdown in a description, and uses its plain text for search and other sites", async () => {
        const description = "Use `run()` with a [**key**](/b) of {yours}";
        const files = { "a.mdx": `---\ntitle: A\ndescription: "${description}"\n---\nText`, "b.md": "# B" };
        await withExport(files, async (site) => {
            const html = await site.read("a.html");
            const lead = 'Use <code>run()</code> with a <a href="b.html"><strong>key</strong></a> of {yours}';
            assert.ok(html.includes(`<p class="lead">${lead}</p>`), html);
            assert.match(html, /<meta name="description" content="Use run\(\) with a key of {yours}">/);
            assert.match((await site.searchTexts()).get(0) ?? "", /"Use run\(\) with a key of {yours} Text"/);
            assert.match(await site.read("a.md"), /^> Use `run\(\)` with/m);
        });
        assert.deepEqual(await warningsOf({ "a.md": "---\ntitle: A\ndescription: See [it](/gone)\n---\n" }), [
            "a.md:3: the link /gone leads to no page and no file of this site",
        ]);
    });

    it("shows a description literally if it contains tags or Markdown blocks", async () => {
        for (const text of ["Use `a` in <b>", "* Not a list", "A * b", "1. *First*"]) {
            const html = await exportPage("a.md", `---\ntitle: A\ndescription: "${text}"\n---\n`);
            assert.ok(html.includes(`<p class="lead">${text.replace("<b>", "&lt;b&gt;")}</p>`), html);
        }
    });

    it("keeps the front matter title above a page with first-level headings among its sections", async () => {
        await withExport({ "a.md": "---\ntitle: Plans\n---\n\nText\n\n# Prod Pack\n\n## More\n" }, async (site) => {
            const html = await site.read("a.html");
            assert.match(
                html,
                /<h1[^>]*>Plans<\/h1>[^]*<h1 id="prod-pack">Prod Pack<a class="anchor" href="#prod-pack"/,
            );
            assert.match(html, /<li class="depth-2"><a href="#prod-pack">Prod Pack<\/a>/);
        });
    });

    it("gives its title an id, unless a section already has the same id", async () => {
        assert.match(await exportPage("a.md", "# Install\n\nText\n"), /^<h1 id="install">/);
        assert.match(await exportPage("a.md", "# Install\n\n## Install\n"), /^<h1>Install<\/h1>\n<h2 id="install">/);
    });

    it("preserves HTML, rewrites its links and removes its comments", async () => {
        const files = {
            "a/b.md": '<a class="x" href="/c.md?q=1&amp;r=2">c</a> <!-- secret -->\n\n<img src=\'/i.png\'>\n',
            "c.md": "# C",
            "i.png": "i",
        };
        await withExport(files, async (site) => {
            const html = await site.read("a/b.html");
            assert.match(html, /<a class="x" href="..\/c.html\?q=1&amp;r=2">c<\/a>/);
            assert.match(html, /<img src="..\/i.png" loading="lazy">/);
            assert.doesNotMatch(html, /secret/);
        });
    });
});

describe("the export of a page with unusual syntax", () => {
    it("reads a quoted value with unindented continuation lines, as the platform does", async () => {
        const page = (further: string) => `---\ntitle: A\ndescription: "One\n${further}\ntwo"\nicon: star\n---\nText\n`;
        await withExport({ "a.md": page("or") }, async (site) => {
            assert.deepEqual(site.warnings, []);
            assert.match(await site.read("a.html"), /<meta name="description" content="One or two">/);
        });
    });

    it("finds a key on a line within a quoted value", async () => {
        const page = '---\ntitle: A\ndescription: "One\ngroups: [staff]\ntwo"\n---\nText\n';
        await withExport({ "index.md": "# Home", "a.md": page }, async (site) => {
            assert.match(site.warnings.map(({ reason }) => reason).join("\n"), /not valid YAML/);
            assert.ok(!(await site.files()).includes("a.html"));
        });
    });

    it("warns with file and line about invalid YAML front matter, and uses the readable lines", async () => {
        await withExport({ "guides/a.md": "---\ntitle: A\ndescription: [x\n---\n\nText" }, async (site) => {
            assert.match(await site.read("guides/a.html"), /<h1[^>]*>A<\/h1>[\s\S]*<p>Text<\/p>/);
            assert.match(site.warnings[0]?.reason ?? "", /^the front matter is not valid YAML/);
        });
        assert.match((await warningsOf({ "a.md": "---\ntitle: A\nno value\n---\n" }))[0] ?? "", /^a\.md:3: /);
        assert.match((await warningsOf({ "a.md": "---\ntitle: A: B\n---\n" }))[0] ?? "", /^a\.md:2: /);
    });

    it("says what to write where front matter is not valid YAML", async () => {
        const reasonOf = async (lines: string) =>
            /^a\.md:(\d+): the front matter is not valid YAML: (.*)$/.exec(
                (await warningsOf({ "a.md": `---\n${lines}\n---\n\nText\n` }))[0] ?? "",
            );
        const cases: [lines: string, line: string, reason: RegExp][] = [
            ["title: Install: it", "2", /^a string that contains a colon and a space must be in quotes, such as/],
            ["title: A\ndescription: @acme", "3", /^a string that begins with @, % or a backquote must be in quotes$/],
            ["a: 1\na: 2", "3", /^the key occurs twice/],
            ["title: 'it's'", "2", /^text follows the end of a value: put the whole value in quotes$/],
            ["title: [a, b", "2", /^a bracket has no end/],
            ["title: A\n\tb: 1", "3", /^a tab cannot indent a line: use spaces$/],
        ];
        for (const [lines, line, reason] of cases) {
            const found = await reasonOf(lines);
            assert.equal(found?.[1], line, lines);
            assert.match(found?.[2] ?? "", reason);
        }
    });

    it("keeps the zeros of a version that YAML reads as a number, also in expressions", async () => {
        const page = "---\ntitle: A\nversion: 1.30\nbuild: 007\ncount: 3\n---\n\nIs {version} {build} {count + 1}\n";
        await withExport({ "a.mdx": page }, async (site) => {
            assert.match(await site.read("a.html"), /<p>Is 1\.30 007 4<\/p>/);
        });
    });

    it("warns about an undefined alias in front matter, and explains how to write a string", async () => {
        assert.deepEqual(await warningsOf({ "g/a.md": "---\nbase: &x 1\nsame: *x\ntitle: *Important*\n---\n" }), [
            "g/a.md:4: the front matter is not valid YAML: *Important* is read as a reference to another value: " +
                "a string that begins with * must be in quotes",
        ]);
    });

    it("warns about front matter with aliases that multiply endlessly", async () => {
        const bomb = Array.from({ length: 9 }, (_, depth) => `k${depth + 1}: &a${depth + 1} [*a${depth}, *a${depth}]`);
        const [warning] = await warningsOf({ "a.md": `---\nk0: &a0 [x, x]\n${bomb.join("\n")}\n---\n` });
        assert.match(
            warning ?? "",
            /^a\.md:3: the front matter is not valid YAML: the references to \*a0 repeat too much text/,
        );
    });

    it("warns with file and line about front matter of the wrong type", async () => {
        const warnings = async (lines: string) => warningsOf({ "a.md": lines });
        assert.deepEqual(await warnings("---\ndescription: d\ntitle: [a]\n---\n"), ["a.md:3: title must be a string"]);
        assert.deepEqual(await warnings("---\nhidden: perhaps\n---\n"), ["a.md:2: hidden must be true or false"]);
        assert.deepEqual(await warnings("---\norder: first\n---\n"), ["a.md:2: order must be a number"]);
        assert.match(
            (await warnings("---\n- a\n---\n"))[0] ?? "",
            /^a\.md:2: the front matter must consist of keys and values/,
        );
        assert.match(
            (await warnings("---\ntitle: A\n\nText\n"))[0] ?? "",
            /^a\.md:1: the front matter that starts here has no closing ---/,
        );
    });

    it("accepts empty front matter, a horizontal rule at the top and a byte order mark", async () => {
        assert.match(await exportPage("a.md", "---\n---\n\nText"), /<p>Text<\/p>/);
        assert.match(await exportPage("a.md", "---\n\nText"), /<hr>/);
        assert.match(await exportPage("a.md", "\uFEFF---\ntitle: Marked\n---\n"), /<h1[^>]*>Marked<\/h1>/);
    });

    it("repairs MDX, with a warning for the line of each repair", async () => {
        const files = {
            "a.mdx": "Hello { and 1 <5\n\n**bold** <br> <!-- note --> <https://example.com>\n\n<Note>\nopen\n",
        };
        await withExport(files, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<p>Hello \{ and 1 &lt;5<\/p>/);
            assert.match(html, /<strong>bold<\/strong> <br>/);
            assert.match(html, /<a href="https:\/\/example.com">/);
            assert.match(html, /<p>open<\/p>/);
            assert.doesNotMatch(html, /note/);
            assert.ok(site.warnings.every(({ kind, line }) => kind === "syntax" && line !== undefined));
        });
    });

    it("accepts heading ids in MDX", async () => {
        assert.match(await exportPage("a.mdx", "## Title {#given}\n"), /<h1 id="given">Title/);
        assert.deepEqual(await warningsOf({ "a.mdx": "## Title {#given}\n" }), []);
    });

    it("shows the text after a self-closing element that HTML does not allow", async () => {
        const html = await exportPage("a.md", '# A\n\n<iframe src="https://example.com/" />\n\nText **after**\n');
        assert.match(html, /<iframe [^>]*><\/iframe>[\s\S]*<strong>after<\/strong>/);
    });

    it("reads MDX as Markdown if no repair works", async () => {
        const broken = Array.from({ length: 40 }, () => "{x").join("\n\n");
        const warnings = await warningsOf({ "a.mdx": `Text\n\n${broken}\n` });
        assert.equal(warnings.length, 1);
        assert.match(
            warnings[0] ?? "",
            /^a\.mdx:3: the page is read as Markdown, because it does not parse as MDX: the text between these braces/,
        );
    });
});
