import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

/** Returns the words of a page that search can find. */
async function wordsOf(page: string): Promise<string[]> {
    let text = "";
    await withExport({ "index.mdx": `# Home\n\n${page}\n` }, async ({ searchTexts }) => {
        text = (await searchTexts()).get(0) ?? "";
    });
    return text.match(/[a-z]{5,}/gi) ?? [];
}

async function assertFound(page: string, ...expected: string[]): Promise<void> {
    const words = await wordsOf(page);
    assert.deepEqual(
        expected.filter((word) => !words.includes(word)),
        [],
        words.join(" "),
    );
}

describe("The search finds the words", () => {
    for (const tag of ["<br/>", "<br />", "<hr/>"]) {
        it(`on both sides of ${tag}`, () => assertFound(`zebra${tag}giraffe`, "zebra", "giraffe"));
    }

    const blocks =
        "address article aside dd details div dl dt fieldset figure footer form header main nav ol p section ul";
    for (const name of blocks.split(" ")) {
        it(`before, in and after <${name}>`, () =>
            assertFound(`<div>zebra<${name}>giraffe</${name}>ocelot</div>`, "zebra", "giraffe", "ocelot"));
    }

    it("on both sides of a line break in a table cell", () =>
        assertFound("| a | b |\n| --- | --- |\n| zebra<br/>giraffe | ocelot |", "zebra", "giraffe", "ocelot"));

    it("in the fields of a form and their labels", () =>
        assertFound(
            "<div><label>zebra</label><button>giraffe</button><select><option>ocelot</option><option>lemur</option></select></div>",
            "zebra",
            "giraffe",
            "ocelot",
            "lemur",
        ));

    it("around an element within a word as one word", () => assertFound("zeb<b>ra</b>crossing", "zebracrossing"));

    for (const [where, page] of [
        ["the title of a code block", '```js title="zebra.js"\nlet giraffe;\n```'],
        ["the title of a code block without a language", '```title="zebra"\ngiraffe\n```'],
        ["the text for a picture", '![zebra](./a.png "ocelot") giraffe'],
        ["the text for a picture in HTML", '<img src="./a.png" alt="zebra" /> giraffe'],
        ["the caption of a picture", '<Frame caption="zebra">![](./a.png)</Frame> giraffe'],
        ["the type of a field", '<ParamField path="ocelot" type="zebra">giraffe</ParamField>'],
        ["the tags of an update", '<Update label="ocelot" tags={["zebra"]}>giraffe</Update>'],
    ] as const) {
        it(`in ${where}`, () => assertFound(page, "zebra", "giraffe"));
    }

    for (const name of ["Note", "Tip", "Info", "Check", "Warning", "Danger", "Error", "Callout"]) {
        it(`in the title of <${name}>`, async () => {
            await assertFound(`<${name} title="zebra">giraffe</${name}>`, "zebra", "giraffe");
            await assertFound(`<${name} title={<b>zebra</b>}>giraffe</${name}>`, "zebra", "giraffe");
        });
    }
});
