import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

/** The formulas of a page, and its text without them. */
async function read(source: string, file = "a.md"): Promise<{ formulas: string[]; text: string }> {
    const html = await exportPage(file, `${source}\n`);
    const formulas = [...html.matchAll(/<annotation[^>]*>([^<]*)</g)].map(([, formula]) => formula ?? "");
    return { formulas, text: html.replace(/<span class="katex">[^]*?<\/math><\/span>/g, "·").replace(/<[^<>]*>/g, "") };
}

describe("A pair of dollar signs", () => {
    const formulas = ["$r^2$", "$x$", "($a_b$)", "$5+x$.", "**$x$**", "面积$r^2$是", "$a$, $b$"];
    for (const source of formulas) {
        it(`is a formula: ${source}`, async () => {
            const { formulas: found, text } = await read(source);
            assert.equal(found.length, source.split("$").length >> 1);
            assert.doesNotMatch(text, /\$/);
        });
    }

    const texts = [
        "$5 a month and $10",
        "$5-$10",
        "US$100 and AU$200",
        "($3) and ($4)",
        '"$7" "$8"',
        "$HOME/bin:$PATH",
        "$A_B and $C_D, ${VAR} and ${OTHER}",
        "$ x $",
        "**$100/mo** and **$200/mo**",
    ];
    for (const source of texts) {
        it(`is text, even on a page with a formula: ${source}`, async () => {
            const { formulas: found, text } = await read(`${source}\n\nThe area is $r^2$.`);
            assert.deepEqual(found, ["r^2"]);
            assert.ok(text.includes(source.replaceAll("**", "").replaceAll('"', "&quot;")), text);
        });
    }

    it("is decided for each pair of a paragraph", async () => {
        const { formulas: found, text } = await read("Pay $5 for $x$, then $6 for `$y$` and $z$.");
        assert.deepEqual(found, ["x", "z"]);
        assert.ok(text.includes("Pay $5 for ·, then $6 for $y$ and ·."), text);
    });

    it("is decided in the text of a link alone", async () => {
        const page =
            "[$data](#d), [$ref and $x$](#d) and $y for $f[a](b)$ at https://example.com/$c or <https://a.b/$d>.";
        const { formulas: found, text } = await read(page);
        assert.deepEqual(found, ["x", "f[a](b)"]);
        assert.ok(text.includes("$data, $ref and · and $y for · at https://example.com/$c or https://a.b/$d."), text);
    });

    it("is decided in MDX, too", async () => {
        const page = "Pay $5 or $6 for <b>$x$</b> {`$${1}`} $\\frac{a}{b}$.";
        const { formulas: found, text } = await read(page, "a.mdx");
        assert.deepEqual(found, ["x", "\\frac{a}{b}"]);
        assert.ok(text.includes("Pay $5 or $6 for · $1 ·."), text);
    });

    it("is text in code and in the attributes of components, next to formulas and in a table", async () => {
        const page =
            "| a | b |\n| - | - |\n| $x$ `a$b` <b title={`$${1}`}>{`${2}`}</b> {`${3}`}$ | `$c` $y$ |\n\n$$\nz\n$$";
        const { formulas: found, text } = await read(page, "a.mdx");
        assert.deepEqual(found, ["x", "y", "z"]);
        assert.match(text, /· a\$b 2 3\$\s+\$c ·/);
    });

    it("is reported if it is doubtful", async () => {
        assert.deepEqual(await warningsOf({ "a.md": "\nFrom $5 a month, or 10$ a year.\n\nThe area $ r^2 $ is.\n" }), [
            "a.md:2: the text between these dollar signs is shown as a formula (5 a month, or 10): write \\$ for a dollar sign",
            "a.md:4: the text between these dollar signs is not shown as a formula ( r^2 ): a formula has no space after " +
                "the first sign or before the last, and no letter or digit next to them",
        ]);
    });
});
