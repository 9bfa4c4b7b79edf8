import assert from "node:assert/strict";
import { articleOf } from "../support/one-page.js";

/** Returns the text that the page shows for this component, and the warnings. */
const shown = async (code: string, use: string) =>
    articleOf(`import { C } from "/snippets/c.jsx"\n\n${use}\n`, { "snippets/c.jsx": code });

const text = (html: string) =>
    html
        .replace(/<h1[^]*?<\/h1>|<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim();

/** Recognises warnings about event handlers, which exports omit. */
const isOfEvent = (warning: string) => / on[A-Z]\w+ in <\w+> is left out/.test(warning);

const tabs = `import { useState } from "react";
export const C = ({ items }) => {
  const [active, setActive] = useState(0);
  return <div>
    <nav>{items.map((item, index) => <button key={index} onClick={() => setActive(index)}>{item.label}</button>)}</nav>
    <p>{items[active].text}</p>
  </div>;
};`;

describe("a component with state", () => {
    it("shows its content after each click, labelled with the clicked element", async () => {
        const items =
            '{[{ label: "npm", text: "Install it with npm i" }, { label: "pnpm", text: "Install it with pnpm add" }]}';
        const { html, warnings } = await shown(tabs, `<C items=${items} />`);
        assert.match(
            html,
            /<p>Install it with npm i<\/p><\/div><section class="state" aria-label="pnpm"><p class="state-title">pnpm<\/p><p>Install it with pnpm add<\/p><\/section>/,
        );
        assert.ok(warnings.every(isOfEvent), warnings.join());
    });

    for (const event of ["onMouseEnter", "onMouseOver", "onPointerEnter", "onFocus"]) {
        it(`shows a hint that appears on ${event}, even if a click shows something else`, async () => {
            const code = `import { useState } from "react";
export const C = () => {
  const [hint, setHint] = useState("");
  return <div><b onClick={() => setHint("Something that a click shows")} ${event}={() => setHint("A hint for all who look closely")}>Look</b><p>{hint}</p></div>;
};`;
            const { html } = await shown(code, "<C />");
            assert.match(text(html), /Something that a click shows.*A hint for all who look closely/);
        });
    }

    it("is reported if an effect loads its data, because an export never shows the data", async () => {
        const code = (effect: string) => `import { useEffect, useState } from "react";
export const C = () => {
  const [users, setUsers] = useState(undefined);
  const load = async () => setUsers(await (await ${effect}).json());
  useEffect(() => { load(); }, []);
  return <p>{users === undefined ? "Loading…" : users.length}</p>;
};`;
        const loads = await shown(code('fetch("https://api.example.com/users")'), "Text\n\n<C />");
        assert.match(loads.html, /Loading…/);
        assert.equal(loads.warnings.length, 1);
        assert.match(loads.warnings[0] ?? "", /^a\.mdx:5: <C> loads data in an effect, which an export does not run/);
        const counts = await shown(code("readLocal()"), "<C />");
        assert.deepEqual(counts.warnings, []);
    });

    it("shows each variant of an imported snippet once", async () => {
        const code = `import Npm from "/snippets/npm.mdx";\nimport Yarn from "/snippets/yarn.mdx";
export const C = () => {
  const [open, setOpen] = React.useState("npm");
  return <>
    <a onClick={() => setOpen("npm")}>npm</a><a onClick={() => setOpen("yarn")}>Yarn</a>
    {open === "npm" ? <Npm /> : <Yarn />}
  </>;
};`;
        const { html } = await articleOf('import { C } from "/snippets/c.jsx"\n\n<C />\n', {
            "snippets/c.jsx": code,
            "snippets/npm.mdx": "```bash\nnpm i\n```",
            "snippets/yarn.mdx": "```bash\nyarn add\n```",
        });
        assert.match(text(html), /npm Yarn .*npm i .*Yarn .*yarn add/);
        assert.equal(html.match(/class="code/g)?.length, 2);
    });

    it("shows the tabs among its children if the tabs read the selection from a context", async () => {
        const code = `const Chosen = React.createContext();
export const C = ({ children }) => {
  const [chosen, setChosen] = useState("a");
  return <Chosen.Provider value={{ chosen, setChosen }}>{children}</Chosen.Provider>;
};
export const Choice = ({ of }) => { const { setChosen } = useContext(Chosen); return <button onClick={() => setChosen(of)}>Choose {of}</button>; };
export const Part = ({ of, children }) => (useContext(Chosen).chosen === of ? <div>{children}</div> : null);`;
        const { html, warnings } = await articleOf(
            'import { C, Choice, Part } from "/snippets/c.jsx"\n\n<C>\n  <Choice of="a" /><Choice of="b" />\n\n  <Part of="a">\n\n  first **text**\n\n  </Part>\n  <Part of="b">\n\n  second **text**\n\n  </Part>\n</C>\n',
            { "snippets/c.jsx": code },
        );
        assert.match(
            html,
            /first <strong>text<\/strong>[^]*class="state-title">Choose b<[^]*second <strong>text<\/strong>/,
        );
        assert.ok(warnings.every(isOfEvent), warnings.join());
    });

    for (const read of ["React.use(Chosen)", "use(Chosen)", "useContext(Chosen)"]) {
        it(`shows the value of the nearest <Context value> to ${read}`, async () => {
            const code = `import { use } from "react";
const Chosen = React.createContext("none");
const Inner = () => <b>{${read}}</b>;
export const C = () => <p><Inner /><Chosen value="outer"><Inner /><Chosen value="inner"><Inner /></Chosen></Chosen></p>;`;
            const { html, warnings } = await shown(code, "<C />");
            assert.match(html, /<b>none<\/b><b>outer<\/b><b>inner<\/b>/);
            assert.deepEqual(warnings, []);
        });
    }

    it("is left out with a warning if it waits for a promise with use()", async () => {
        const code = "export const C = () => <p>{React.use(Promise.resolve(1))}</p>;";
        const { html, warnings } = await shown(code, "Text\n\n<C />");
        assert.match(html, /Text/);
        assert.deepEqual(warnings, [
            'a.mdx:5: <C> is left out: its code throws "use() reads contexts only here, because an export does not wait for promises"',
        ]);
    });

    it("shows the states of select options and class components", async () => {
        const code = `export class C extends React.Component {
  constructor(props) { super(props); this.state = { shown: "x" }; }
  render() {
    return <div>
      <select onChange={(event) => this.setState({ shown: event.target.value })}><option value="x">First</option><option value="y">Second</option></select>
      <p>These are the words for {this.state.shown}.</p>
    </div>;
  }
}`;
        const { html, warnings } = await shown(code, "<C />");
        assert.match(html, /words for x\.<\/p><\/div><section class="state" aria-label="Second">.*words for y\./);
        assert.ok(warnings.every(isOfEvent), warnings.join());
    });

    it("ignores a button that changes only its own text, or a short word next to it", async () => {
        const code = `export const C = () => {
  const [copied, setCopied] = useState(false);
  return <div><button onClick={() => { setCopied(true); navigator.clipboard.writeText("x"); }}>{copied ? "Copied" : "Copy this code to the clipboard"}</button>{copied && <i>Copied!</i>}</div>;
};`;
        const { html, warnings } = await shown(code, "<C />");
        assert.doesNotMatch(html, /state/);
        assert.ok(warnings.every(isOfEvent), warnings.join());
    });

    it("is reported with the number of states that the click limit leaves out", async () => {
        const items =
            "{Array.from({ length: 70 }, (_, n) => ({ label: `L${n}`, text: `This is the text of number ${n}` }))}";
        const { html, warnings } = await shown(tabs, `<C items=${items} />`);
        assert.match(html, /This is the text of number 59/);
        assert.doesNotMatch(html, /This is the text of number 60/);
        assert.deepEqual(
            warnings.filter((warning) => !isOfEvent(warning)),
            ["a.mdx:3: the content that <C> shows after 10 clicks is left out"],
        );
    });

    it("is reported with its line if it shows none of its content", async () => {
        const code = `export const C = ({ isLater, children }) => {
  const [seen, setSeen] = useState(!isLater);
  useEffect(() => setSeen(true), []);
  return seen ? <div>{children}</div> : null;
};`;
        const reason = "the content of <C> is left out: the component shows nothing of it at first";
        for (const [use, expected] of [
            ["<C isLater>\n  Text **after** a moment\n</C>", [`a.mdx:3: ${reason}`]],
            ["Text\n\n<Note><C isLater>Also later</C> and now</Note>", [`a.mdx:5: ${reason}`]],
            ["<C>Now</C>\n\n<C isLater> </C>", []],
        ] as const) {
            assert.deepEqual((await shown(code, use)).warnings, expected);
        }
    });

    const none = "export const C = () => <p>Shown</p>;";
    const one = "export const C = ({ children }) => <div>{React.Children.toArray(children)[0]}</div>;";
    for (const [what, code, content, hidden] of [
        ["a short text", none, "no", undefined],
        ["a number", none, "{42}", undefined],
        ["the text of an expression", none, "{'Text'}", undefined],
        ["a list of elements", none, "{['Text'].map((each) => <b>{each}</b>)}", undefined],
        ["an image", none, "![Text](https://example.com/a.png)", undefined],
        ["a card", none, "<Card title='Text' />", undefined],
        ["a snippet", none, "<Snip />", undefined],
        ["the second paragraph", one, "\n\nFirst\n\nSecond\n\n", "Second"],
        ["the second of two tabs", one, "\n<Tab title='Left'>First</Tab>\n<Tab title='Right'>Second</Tab>\n", "Right"],
        ["code", one, "\n\nFirst\n\n```js\nconst second = 1\n```\n\n", "const second = 1"],
    ] as const) {
        it(`is reported if it shows a part of the page, but not ${what} between its tags`, async () => {
            const page = `import { C } from "/snippets/c.jsx"\nimport Snip from "/snippets/s.mdx"\n\n<C>${content}</C>\n`;
            const files = { "snippets/c.jsx": code, "snippets/s.mdx": "Text" };
            const { warnings } = await articleOf(page, files);
            const reason =
                hidden === undefined
                    ? "the content of <C> is left out: the component shows nothing of it at first"
                    : `some content of <C> is left out: the component does not show "${hidden}" at first`;
            assert.deepEqual(warnings, [`a.mdx:4: ${reason}`]);
        });
    }

    it("is not reported if it shows its content in another form", async () => {
        const code = `export const C = ({ children }) => <div>{children}</div>;
export const Loud = ({ children }) => <b>{String(children).toUpperCase()}</b>;`;
        const content = [
            "Q&A, \"quoted\" & 'single'",
            "$a^2$ and `x < y`",
            "> [!NOTE]\n> Callout",
            "```mermaid\ngraph TD; A-->B\n```",
            '<Visibility for="agents">For agents</Visibility>',
            "![Alt](https://example.com/a.png)",
            "{/* A comment */}",
        ].join("\n\n");
        const { warnings } = await articleOf(
            `import { C, Loud } from "/snippets/c.jsx"\n\n<C>\n\n${content}\n\n</C>\n\n<Loud>loud words</Loud>\n`,
            { "snippets/c.jsx": code },
        );
        assert.deepEqual(warnings, []);
    });
});
