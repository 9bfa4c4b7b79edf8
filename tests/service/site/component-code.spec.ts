import assert from "node:assert/strict";
import { articleOf } from "./one-page.js";

/** What the page shows of a component with this body, and the warnings. */
const shown = async (body: string, use = "<C />") => {
    const { html, warnings } = await articleOf(
        `import { C } from "/snippets/c.jsx"\n\nexport const list = ["a", "b", "c"]\n\n${use}\n`,
        { "snippets/c.jsx": `export const shared = ["s"]\nexport const C = ({ children, kind }) => {\n${body}\n}` },
    );
    return { text: html.replace(/<h1[^]*?<\/h1>|<[^>]*>/g, "").trim(), html, warnings };
};

describe("code of components", () => {
    it("chooses with switch, falls through, and takes the default", async () => {
        const body =
            'switch (kind) { case "a": case "b": { const x = "ab"; return x } case "c": break; default: return "other" }\nreturn "after"';
        const use = '<C kind="a" />-<C kind="b" />-<C kind="c" />-<C kind="d" />';
        const { text, warnings } = await shown(body, use);
        assert.equal(text, "ab-ab-after-other");
        assert.deepEqual(warnings, []);
    });

    it("counts with for and while, and changes what it has made itself", async () => {
        const body =
            'const sums = {}\nfor (let i = 0; i < 3; i++) { sums["k" + i] = i * 2 }\nlet n = 1\nwhile (n < 50) { n *= 3 }\nsums.k0 ??= 9\nconst parts = ["x", "y"]\nparts[1] += "z"\nreturn sums.k0 + "/" + sums.k2 + "/" + n + "/" + parts[1]';
        const { text, warnings } = await shown(body);
        assert.equal(text, "0/4/81/yz");
        assert.deepEqual(warnings, []);
    });

    it("collects in sets and maps, and goes through them", async () => {
        const body =
            'const seen = new Set(["a"])\n;["a", "b"].forEach((x) => seen.add(x))\nconst names = new Map([["k", 1]])\nnames.set("l", 2)\nlet text = ""\nfor (const [key, value] of names) { text += key + value }\nreturn [...seen].join("") + seen.size + seen.has("c") + text + names.get("l")';
        assert.equal((await shown(body)).text, "ab2falsek1l22");
    });

    it("does not change what all pages share", async () => {
        const { warnings } = await shown("shared[0] = 1\nreturn shared.length");
        assert.match(warnings.join(), /<C> is left out: a list or an object is changed that another file made/);
    });

    it("reads the text between its tags, none as nothing, and the props of an element", async () => {
        const body =
            'return <b>{children === undefined ? "none" : typeof children === "string" ? children.toUpperCase() : children.props.children}</b>';
        assert.equal(
            (await shown(body, "<C>text</C> <C /> <C>\n\n  paragraph\n\n</C>")).text.replace(/\s+/g, " "),
            "TEXT none paragraph",
        );
    });

    it("that fails shows what stands between its tags", async () => {
        const { html, warnings } = await shown("return missing()", "<C>\n\nkept **text**\n\n</C>");
        assert.match(html, /<p>kept <strong>text<\/strong><\/p>/);
        assert.deepEqual(warnings, ["a.mdx:5: <C> is left out, and its content shown: missing has no value here"]);
    });

    it("may use a component that only the page imports", async () => {
        const { html, warnings } = await articleOf(
            'import { Outer } from "/snippets/outer.jsx"\nimport { Inner } from "/snippets/inner.jsx"\n\n<Outer />\n',
            {
                "snippets/outer.jsx": 'export const Outer = () => <div><Inner text="Hello" /></div>',
                "snippets/inner.jsx": "export const Inner = ({ text }) => <em>{text}</em>",
            },
        );
        assert.match(html, /<div><em>Hello<\/em><\/div>/);
        assert.deepEqual(warnings, []);
    });

    it("of a long page may compute more than that of a short one", async () => {
        const uses = Array.from({ length: 4000 }, (_, n) => `<C kind="number ${n} of a long list of fields" />`);
        const body = "let n = 0\nfor (let i = 0; i < 10; i++) { n += i }\nreturn <i>{n}</i>";
        const { warnings } = await shown(body, uses.join("\n\n"));
        assert.deepEqual(warnings, []);
    });
});

describe("a component that the site does not have", () => {
    it("shows its texts and its content", async () => {
        const { html, warnings } = await articleOf(
            '<Endpoint title="Get it" href="/b" description="one <of> them" className="wide">\n\n  inside\n\n</Endpoint>\n\nand <Chip label="new" />\n',
            { "b.mdx": "# B", "docs.json": JSON.stringify({ navigation: { pages: ["a", "b"] } }) },
        );
        assert.match(
            html,
            /<p><a href="b\.html"><strong>Get it<\/strong><\/a> one &lt;of&gt; them<\/p>\s*<p>inside<\/p>/,
        );
        assert.match(html, /<p>and +<strong>new<\/strong>/);
        assert.doesNotMatch(html, /wide/);
        assert.deepEqual(warnings, [
            "a.mdx:1: there is no component <Endpoint>; its content is shown instead",
            "a.mdx:7: there is no component <Chip>; its content is shown instead",
        ]);
    });
});
