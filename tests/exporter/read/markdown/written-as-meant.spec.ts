import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { withExport } from "../../support/site-fixture.js";

const textOf = (html: string) =>
    html
        .replace(/<[^>]*>/g, "")
        .replace(/\s+/g, " ")
        .trim();

async function titleOf(frontMatter: string) {
    let found = { title: "", warnings: [] as string[] };
    await withExport({ "a.md": `---\n${frontMatter}\n---\n\nText\n` }, async ({ read, warnings }) => {
        const title = /<title>(.*?)(?: &ndash; .*)?<\/title>/.exec(await read("a.html"))?.[1] ?? "";
        found = { title, warnings: warnings.map(({ line, reason }) => `${line}: ${reason}`) };
    });
    return found;
}

describe("The title in front matter", () => {
    it("is reported if YAML reads its end as a comment, unlike an author's comment", async () => {
        assert.deepEqual((await titleOf("tag: New\ntitle: Release #7 is out")).warnings, [
            '3: title is only "Release", because YAML reads "#7 is out" as a comment: put the whole text in quotes',
        ]);
        assert.deepEqual(await titleOf("title: Release # the newest"), { title: "Release", warnings: [] });
        assert.deepEqual(await titleOf('title: "Release #7"'), { title: "Release #7", warnings: [] });
    });

    it("contains a first word that YAML reads as a type or as a name", async () => {
        assert.deepEqual(await titleOf("title: !urgent read this"), { title: "!urgent read this", warnings: [] });
        assert.deepEqual(await titleOf("title: &more and less"), { title: "&amp;more and less", warnings: [] });
        assert.equal((await titleOf("title: &name Start\ndescription: *name")).title, "Start");
    });
});

describe("A comment that marks lines of code", () => {
    const codeOf = async (code: string) =>
        /<code[^>]*>([^]*?)<\/code>/.exec((await articleOf(`\`\`\`js\n${code}\n\`\`\`\n`)).html)?.[1] ?? "";
    const classesOf = (html: string) => [...html.matchAll(/<span class="(line[^"]*)">/g)].map(([, name]) => name);

    it("is not shown, whatever it marks", async () => {
        assert.equal(textOf(await codeOf("a(); // [!code error]\nb(); // [!code word:x]")), "a(); b();");
        assert.deepEqual(classesOf(await codeOf("a(); // [!code ++:2]\nb();\nc();")), ["line add", "line add", "line"]);
    });
});

describe("Formulas with braces on an MDX page", () => {
    it("are decided pair by pair", async () => {
        const { html, warnings } = await articleOf(
            "<Note>Hi</Note>\n\nFrom $5 a month to $10, $x^{a b}$ and $\\frac{1}{2}$.\n",
        );
        assert.deepEqual(warnings, []);
        assert.match(textOf(html), /From \$5 a month to \$10,/);
        assert.equal(html.match(/<math/g)?.length, 2);
    });
});
