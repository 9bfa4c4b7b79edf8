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

describe("regular expressions in a page's code", () => {
    it("are left out with a warning if their pattern is invalid", async () => {
        const { html, warnings } = await articleOf('x{"a(b".search("(")}x\n');
        assert.match(html, /<p>xx<\/p>/);
        assert.match(String(warnings[0]), /its code throws "expecting '\)'"/);
    });

    it("stay within the computation limit of a page", async () => {
        const before = process.cpuUsage();
        for (const code of [
            "/^(a+)+$/.test(a + 'b')",
            'a.replace(/a/g, "$&".padEnd(10000, "$&"))',
            "Array.from({ length: 1000 }, () => a).map((text) => text.replace(/(.*)(.*)(.*)x/, text)).length",
        ]) {
            const { warnings } = await articleOf(`export const a = "a".padEnd(10000, "a")\n\n{${code}}\n`);
            assert.match(String(warnings), /computes too much/, code);
        }
        assert.ok(process.cpuUsage(before).user < 12_000_000);
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
