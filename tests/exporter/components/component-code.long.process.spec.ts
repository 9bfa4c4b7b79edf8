import assert from "node:assert/strict";
import { articleOf } from "../support/one-page.js";
import { warningsOf } from "../support/site-fixture.js";

/** Returns the text that the page shows for a component with this body, and the warnings. */
const shown = async (body: string, use = "<C />") => {
    const { html, warnings } = await articleOf(
        `import { C } from "/snippets/c.jsx"\n\nexport const list = ["a", "b", "c"]\n\n${use}\n`,
        { "snippets/c.jsx": `export const shared = ["s"]\nexport const C = ({ children, kind }) => {\n${body}\n}` },
    );
    return { text: html.replace(/<h1[^]*?<\/h1>|<[^>]*>/g, "").trim(), html, warnings };
};

describe("code in components", () => {
    it("reads its children, which are undefined if the content is empty, and the props of an element", async () => {
        const body =
            'return <b>{children === undefined ? "none" : typeof children === "string" ? children.toUpperCase() : children.props.children}</b>';
        assert.equal(
            (await shown(body, "<C>text</C> <C />\n\n<C>\n\n  paragraph\n\n</C>")).text.replace(/\s+/g, " "),
            "TEXT none paragraph",
        );
    });

    it("reads a single child as a value and several children as a list, both from code and from the page", async () => {
        const kind =
            "const kindOf = (x) => (Array.isArray(x.props.children) ? x.props.children.length : x.props.children)";
        const body = `${kind}\nreturn [kindOf(<i>one</i>), kindOf(<i>{1}{2}</i>), kindOf(<i />), kindOf(children)].join(";")`;
        const { text, warnings } = await shown(body, "<C><Tip><b>x</b> and <b>y</b></Tip></C>");
        assert.equal(text, "one;2;;3");
        const reason = "the content of <C> is left out: the component shows nothing of it at first";
        assert.deepEqual(warnings, [`a.mdx:5: ${reason}`]);
    });

    it("iterates over its children, including children from the page, and reads their attributes", async () => {
        const body = [
            "const titles = React.Children.map(children, (child, index) => <li key={index}>{child.props.title}</li>)",
            "let seen = ''",
            "React.Children.forEach(children, (child) => { seen += child.type })",
            "const numbers = React.Children.toArray([1, null, [2, false]]).length + '/' + React.Children.count([1, null])",
            "return <><ul>{titles}</ul>{React.Children.count(children)} {seen} {numbers}</>",
        ].join("\n");
        const { html, text, warnings } = await shown(body, '<C>\n  <Card title="A" />\n  <Card title="B" />\n</C>');
        assert.match(html, /<ul><li>A<\/li><li>B<\/li><\/ul>/);
        assert.match(text, /2 CardCard 2\/2$/);
        assert.deepEqual(warnings, []);
    });

    it("can require a single child element; a component with several is left out", async () => {
        const only = "return <p>{React.Children.only(children).props.id}</p>";
        assert.equal((await shown(only, '<C><b id="x">1</b></C>')).text, "x");
        const { warnings } = await shown(only, "<C><b>1</b><b>2</b></C>");
        assert.match(warnings.join(), /the argument of React\.Children\.only is not a single element/);
    });

    it("clones elements with different attributes and content, and preserves the rest", async () => {
        const body = [
            'const own = React.cloneElement(<a href="#kept" title="t">old</a>, { title: "new" }, "text")',
            'const ofPage = cloneElement(children, { className: "marked" })',
            'return <React.Fragment>{own}{ofPage}{React.createElement("hr", null)}</React.Fragment>',
        ].join("\n");
        const { html, warnings } = await shown(body, '<C><b id="kept">**x**</b></C>');
        assert.match(
            html,
            /<a href="#kept" title="new">text<\/a><b id="kept" class="marked"><strong>x<\/strong><\/b><hr>/,
        );
        assert.deepEqual(warnings, []);
    });

    it("distinguishes elements from strings and numbers", async () => {
        const body = "return [children, <b />, 'text', 1, null].map((x) => (isValidElement(x) ? 'e' : '-')).join('')";
        assert.equal((await shown(body, "<C><b>x</b></C>")).text, "ee---");
        assert.equal((await shown(body, "<C>text</C>")).text, "-e---");
    });

    it("creates a unique id for each use", async () => {
        const { html } = await shown(
            "const id = useId()\nreturn <label htmlFor={id}><input id={id} /></label>",
            "<C /><C />",
        );
        const ids = [...html.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id);
        assert.equal(new Set(ids).size, 2);
        assert.deepEqual(
            [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id),
            ids,
        );
    });

    it("counts towards the limit of its own page", async () => {
        const snippet =
            "export const C = () => useMemo(() => { let n = 0; for (let i = 0; i < 12000; i++) { n += 1 }\nreturn n })";
        const pages = Object.fromEntries(
            ["a", "b", "c", "d"].map((page) => [`${page}.mdx`, 'import { C } from "/snippets/c.jsx"\n\n<C />\n']),
        );
        assert.deepEqual(await warningsOf({ ...pages, "snippets/c.jsx": snippet }), []);
    });

    it("catches its own errors and failed evaluations, and always runs finally blocks", async () => {
        const body = [
            "let text = ''",
            "try { if (kind) { throw new Error('no ' + kind) }\n text += 'fine' } catch (error) { text += error.message } finally { text += '!' }",
            "try { text += localStorage.getItem('x') } catch { text += ' default' }",
            "const early = () => { try { return ' early' } finally { text += ' last' } }",
            "const value = early()",
            "return text + value",
        ].join("\n");
        const { text, warnings } = await shown(body, '<C kind="way" />;<C />');
        assert.equal(text, "no way! default last early;fine! default last early");
        assert.deepEqual(warnings, []);
    });

    it("is left out with its error if nothing catches the error", async () => {
        const { warnings } = await shown('throw new TypeError("kind is missing")');
        assert.match(warnings.join(), /<C> is left out: its code throws "kind is missing"/);
    });

    it("terminates even if it catches every error", async () => {
        for (const body of [
            "while (true) { try { 'x'.repeat(9999) } catch { } }",
            "const f = () => { try { f() } catch { f() } finally { f() } }\nf()",
            "for (;;) { try { throw 1 } finally { continue } }",
            "let list = [1]\nfor (;;) { list = [list, list]; React.Children.count(list) }",
            "const f = (x) => React.Children.map([x, x], f)\nreturn f(1)",
            "return <C />",
        ]) {
            const { warnings } = await shown(body);
            assert.match(warnings.join(), /<C> is left out: .*(?:computes too much|calls itself too often)/, body);
        }
    });

    it("shows the content between its tags if it fails", async () => {
        const { html, warnings } = await shown("return missing()", "<C>\n\nkept **text**\n\n</C>");
        assert.match(html, /<p>kept <strong>text<\/strong><\/p>/);
        assert.deepEqual(warnings, ["a.mdx:5: <C> is left out, and its content is shown: missing has no value here"]);
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

    it("can compute more on a long page than on a short page", async () => {
        const uses = Array.from({ length: 4000 }, (_, n) => `<C kind="number ${n} of a long list of fields" />`);
        const body = "let n = 0\nfor (let i = 0; i < 10; i++) { n += i }\nreturn <i>{n}</i>";
        const { warnings } = await shown(body, uses.join("\n\n"));
        assert.deepEqual(warnings, []);
    });
});

describe("an unknown component", () => {
    it("keeps the id that links use", async () => {
        const { html, warnings } = await articleOf('[there](#live)\n\n<Explorer id="live">\n\ninside\n\n</Explorer>\n');
        assert.match(html, /<a id="live"><\/a>\s*<p>inside/);
        assert.deepEqual(warnings, ["a.mdx:3: there is no component <Explorer>; its content is shown instead"]);
    });

    it("shows its text attributes and its content", async () => {
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
            "a.mdx:7: there is no component <Chip>; its attributes are shown instead",
        ]);
    });
});
