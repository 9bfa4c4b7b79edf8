import assert from "node:assert/strict";
import { exportPage } from "../../support/site-fixture.js";

/** Returns the block's classes and name, its title, and the numbers of its highlighted lines. */
async function blockOf(fence: string): Promise<{ is: string; name: string; title: string; marked: number[] }> {
    const html = await exportPage("a.md", `# A\n\n\`\`\`${fence}\na = 1\nb = 2\nc = 3\n\`\`\`\n`);
    const [, is = "", name = ""] = /<div class="code([^"]*)" data-title="([^"]*)"/.exec(html) ?? [];
    const lines = [...html.matchAll(/<span class="line([^"]*)">/g)].map(([, classes = ""]) => classes);
    const marked = lines.flatMap((classes, at) => (classes.includes("highlight") ? [at + 1] : []));
    return { is: is.trim(), name, title: /<div class="code-title">([^<]*)</.exec(html)?.[1] ?? "", marked };
}

describe("the options of a code block", () => {
    it("are read after a title without quotes", async () => {
        const fences = [
            "py src/a.py {1,3} lines",
            "py title=src/a.py {1,3} showLineNumbers",
            "py {1,3} src/a.py lines",
        ];
        for (const fence of fences) {
            const expected = { is: "numbered", name: "src/a.py", title: "src/a.py", marked: [1, 3] };
            assert.deepEqual(await blockOf(fence), expected, fence);
        }
    });

    it("are read if a space precedes the language on a page with HTML", async () => {
        const html = await exportPage("a.md", '# A\n\n<p align="center">x</p>\n\n``` py title="a.py"\na = 1\n```\n');
        assert.match(html, /<div class="code-title">a\.py</);
    });

    it("may follow the language directly", async () => {
        assert.deepEqual(await blockOf("py{1,3}"), { is: "", name: "py", title: "", marked: [1, 3] });
    });

    it("may be Pandoc's, whose first class is the language", async () => {
        const plain = { is: "", name: "python", title: "", marked: [] };
        assert.deepEqual(await blockOf("{.python .x}"), plain);
        assert.deepEqual(await blockOf("{ .python #id .x }"), plain);
        assert.deepEqual(await blockOf('{.python title="a.py"}'), { ...plain, name: "a.py", title: "a.py" });
        assert.deepEqual(await blockOf("{.python} {2}"), { ...plain, marked: [2] });
    });

    it("cause only one search through a long line of fence characters", async () => {
        // A search from every position in this line would exceed the time limit of a page.
        const html = await exportPage("a.md", `<p>Shown</p>\n\n${"~".repeat(200_000)}\n`);
        assert.match(html, /Shown/);
    });
});
