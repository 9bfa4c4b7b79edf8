import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { type Files, withExport } from "../../support/site-fixture.js";
import { itInLong } from "../../../scale.js";

/** Returns the value of a function with this body, as the page shows the value. */
async function resultOf(body: string, others: Files = {}): Promise<{ html: string; warnings: string[] }> {
    const { html, warnings } = await articleOf(`export const f = () => {\n${body}\n}\n\n{f()}\n`, others);
    return { html: html.replace(/<header[^>]*>\s*<h1[^>]*>A<\/h1>\s*<\/header>\n/, ""), warnings };
}

const shown = (html: string) => ({ html, warnings: [] });

describe("loops in a page's code", () => {
    it("iterate over lists and strings, and collect elements", async () => {
        assert.deepEqual(
            await resultOf(
                'const rows = [];\nfor (const [name, size] of [["a", 1], ["b", 2]]) {\n  rows.push(<li>{name}: {size}</li>);\n}\n' +
                    'for (const letter of "cd") rows.push(<li>{letter}</li>);\nreturn <ul>{rows}</ul>;',
            ),
            shown("<ul><li>a: 1</li><li>b: 2</li><li>c</li><li>d</li></ul>"),
        );
    });

    it("can count, and run while a condition is true", async () => {
        assert.deepEqual(
            await resultOf(
                'let text = "";\nfor (let i = 0; i < 3; i++) text += i;\nlet n = 8;\nwhile (n > 1) { n = n / 2; text += "-" + n; }\n' +
                    "for (const key in { x: 1, y: 2 }) text += key;\nreturn text;",
            ),
            shown("012-4-2-1xy"),
        );
    });

    it("can use break, continue and return", async () => {
        assert.deepEqual(
            await resultOf(
                "let sum = 0;\nfor (const n of [1, 2, 3, 4, 5]) {\n  if (n === 2) continue;\n  if (n === 5) break;\n  sum += n;\n}\n" +
                    "for (;;) { while (true) { return <b>{sum}</b>; } }",
            ),
            shown("<b>8</b>"),
        );
    });

    it("give each closure the values of its own iteration", async () => {
        assert.deepEqual(
            await resultOf(
                "const all = [];\nfor (let i = 0; i < 3; i++) all.push(() => i);\nreturn all.map((one) => one()).join();",
            ),
            shown("0,1,2"),
        );
    });

    it("can use forEach", async () => {
        assert.deepEqual(
            await resultOf(
                'const rows = [];\n["a", "b"].forEach((name, at) => rows.push(`${at}${name};`));\nreturn rows;',
            ),
            shown("0a;1b;"),
        );
    });

    it("are stopped if they run or grow endlessly", async () => {
        for (const body of [
            "while (true) {}",
            "while (true) { try { Array.from({ length: 1e9 }) } catch {} }",
            "while (true) { try { Array.from({ length: 1e9 }) } catch ({ message }) {} }",
            "const rows = [1];\nfor (const row of rows) rows.push(row);\nreturn rows;",
            "let rows = [1];\nwhile (true) rows = [...rows, ...rows];",
            'let text = "ab";\nwhile (true) text += text;',
            'const rows = [];\nwhile (true) rows.push("x".padEnd(10000));',
        ]) {
            const before = process.cpuUsage();
            const { html, warnings } = await resultOf(body);
            assert.equal(html, "", body);
            assert.match(String(warnings), /the page computes too much/, body);
            assert.ok(process.cpuUsage(before).user < 5_000_000, body);
        }
    });
});

describe("a call of a built-in function that takes hours", () => {
    itInLong("is left out with one warning, and the rest of its page and the other pages are exported", async () => {
        const endless = "{Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)}";
        const other = "export const rows = [1, 2, 3]\n\nSum: {rows.reduce((sum, row) => sum + row)}\n";
        await withExport({ "a.mdx": `# A\n\n${endless}\n\nLast words.\n`, "b.mdx": other }, async (site) => {
            assert.deepEqual(
                site.warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
                ["a.mdx:3: an expression is left out: the page computes too much"],
            );
            assert.match(await site.read("a.html"), /<p>Last words\.<\/p>/);
            assert.match(await site.read("b.html"), /<p>Sum: 6<\/p>/);
        });
    });
});

describe("lists in a page's code", () => {
    it("can be changed if they come from another file, without an effect on other pages", async () => {
        const page = 'import { list } from "/parts/list.jsx"\n\n{list.push(2)} of {list.sort().reverse().join()}\n';
        const files = { "a.mdx": page, "b.mdx": page, "parts/list.jsx": "export const list = [1];" };
        await withExport(files, async (site) => {
            assert.match(await site.read("a.html"), /<p>2 of 2,1<\/p>/);
            assert.match(await site.read("b.html"), /<p>2 of 2,1<\/p>/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("can be changed at both ends and in the middle, even if a method created them", async () => {
        const { html, warnings } = await resultOf(
            'const words = "one two three four".split(" ");\nconst last = words.pop();\nconst first = words.shift();\n' +
                'words.unshift("zero");\nconst cut = words.splice(1, 1, "a", "b");\n' +
                'return [last, first, words.join(), cut.join(), [1, 2].map((n) => n).push(3)].join(" / ");',
        );
        assert.deepEqual({ html, warnings }, shown("four / one / zero,a,b,three / two / 3"));
    });

    it("cause a warning that names an unknown method", async () => {
        const { warnings } = await resultOf("return [1].missing(0);");
        assert.match(String(warnings), /missing is not a function here/);
    });

    it("are left out with a warning if they contain themselves or are nested endlessly", async () => {
        for (const [use, reason] of [
            ["rows", /calls itself too often/],
            ["<h2>{rows}</h2>", /calls itself too often/],
            ["JSON.stringify(rows)", /calls itself too often|circular reference/],
        ] as const) {
            for (const code of [
                "const rows = [];\nrows.push(rows);",
                "let rows = [];\nfor (let i = 0; i < 9000; i++) rows = [rows];",
            ]) {
                const { html, warnings } = await resultOf(`${code}\nreturn ${use};`);
                assert.equal(html, "");
                assert.match(String(warnings), reason);
            }
        }
    });
});

describe("an attribute of an element in a page's code", () => {
    it("uses the strings in a list, and leaves out everything else", async () => {
        const { html, warnings } = await articleOf(
            '{<b className={["a", ["b"], {}, "c"]} style={{ color: { a: 1 }, margin: ["x"], top: 3 }} title={/x/}>x</b>}\n\n<i style={{ color: {} }}>y</i>\n',
        );
        assert.match(html, /<b class="a c" style="top:3px">x<\/b>[\s\S]*<i>y<\/i>/);
        assert.deepEqual(warnings, []);
    });

    it("is evaluated even if its lists contain the same lists many times", async () => {
        const doubled = Array.from({ length: 40 }, (_, n) => `export const n${n + 1} = [n${n}, n${n}]`).join("\n");
        for (const use of ["<b className={n40}>x</b>", "<b style={{ color: n40 }}>x</b>", "<h2>{n40}</h2>"]) {
            const before = process.cpuUsage();
            await articleOf(`export const n0 = ["x"]\n${doubled}\n\n{${use}}\n`);
            assert.ok(process.cpuUsage(before).user < 5_000_000, use);
        }
    });
});

describe("code in pages", () => {
    it("can use all of JavaScript: classes, generators, dates, and any method of strings and lists", async () => {
        const { html, warnings } = await resultOf(
            "class Counter { #n = 1; get next() { return (this.#n += 1); } }\nconst counter = new Counter();\n" +
                "function* letters() { yield 'a'; yield 'b'; }\nconst { length: size, ...rest } = { length: 2, x: [1, 2, 3].at(-1) };\n" +
                "return [counter.next, [...letters()].join(''), size, rest.x, new Date('2026-11-22').getUTCFullYear(), " +
                "'a-b'.replace(/(?<=a)-/, '+'), Object.keys(Object.groupBy([1, 2], (n) => (n > 1 ? 'more' : 'one')))].join(' ');",
        );
        assert.deepEqual({ html, warnings }, shown("2 ab 2 3 2026 a+b one,more"));
    });

    it("cannot read the time or random numbers, so that exports are reproducible", async () => {
        for (const code of ["new Date().getFullYear()", "Date.now()", "Math.random()"]) {
            const { html, warnings } = await resultOf(`return "x" + ${code};`);
            assert.equal(html, "", code);
            assert.match(String(warnings), /an export has no (?:clock|chance)/, code);
        }
    });

    it("reports the failing statement of an imported file, and runs the other statements", async () => {
        const { html, warnings } = await articleOf('import { one, two } from "/parts/values.jsx"\n\nx{one}{two}\n', {
            "parts/values.jsx":
                "export const one = 1;\n\nwindow.title = one;\nexport const two = one + later();\nfunction later() { return 1; }\n",
        });
        assert.match(html, /<p>x12<\/p>/);
        assert.deepEqual(warnings, ["parts/values.jsx:3: window has no value here"]);
    });
});
