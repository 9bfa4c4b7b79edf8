import assert from "node:assert/strict";
import { articleOf } from "../support/one-page.js";

/** The attributes whose text readers see, each in a use of its component. */
const uses: [component: string, attribute: string, use: (attribute: string) => string][] = [
    ...["Note", "Tip", "Info", "Check", "Warning", "Danger", "Error", "Callout"].map(
        (name): [string, string, (attribute: string) => string] => [
            name,
            "title",
            (attribute) => `<${name} ${attribute}>Body</${name}>`,
        ],
    ),
    ["Card", "title", (attribute) => `<Card ${attribute} href="/a">Body</Card>`],
    ["Card", "description", (attribute) => `<Card title="T" ${attribute} />`],
    ["Card", "cta", (attribute) => `<Card title="T" ${attribute}>Body</Card>`],
    ["Tile", "title", (attribute) => `<Tile href="/a" ${attribute}>Body</Tile>`],
    ["Tile", "description", (attribute) => `<Tile href="/a" title="T" ${attribute}>Body</Tile>`],
    ["Accordion", "title", (attribute) => `<Accordion ${attribute}>Body</Accordion>`],
    ["Accordion", "description", (attribute) => `<Accordion title="T" ${attribute}>Body</Accordion>`],
    ["Expandable", "title", (attribute) => `<Expandable ${attribute}>Body</Expandable>`],
    ["Step", "title", (attribute) => `<Steps><Step ${attribute}>Body</Step></Steps>`],
    ["Tab", "title", (attribute) => `<Tabs><Tab ${attribute}>Body</Tab></Tabs>`],
    ["View", "title", (attribute) => `<View ${attribute}>Body</View>`],
    ["Frame", "caption", (attribute) => `<Frame ${attribute}>Body</Frame>`],
    ["Frame", "hint", (attribute) => `<Frame ${attribute}>Body</Frame>`],
    ["Tooltip", "tip", (attribute) => `<Tooltip ${attribute}>Body</Tooltip>`],
    ["Tooltip", "headline", (attribute) => `<Tooltip tip="T" ${attribute}>Body</Tooltip>`],
    ["Tooltip", "cta", (attribute) => `<Tooltip tip="T" href="/a" ${attribute}>Body</Tooltip>`],
    ["Update", "label", (attribute) => `<Update ${attribute}>Body</Update>`],
    ["Update", "description", (attribute) => `<Update label="L" ${attribute}>Body</Update>`],
    ["Prompt", "description", (attribute) => `<Prompt ${attribute}>Body</Prompt>`],
    ["Color.Row", "title", (attribute) => `<Color><Color.Row ${attribute}>Body</Color.Row></Color>`],
    ["Color.Item", "name", (attribute) => `<Color><Color.Item ${attribute} value="#fff" /></Color>`],
    ["Tree.File", "name", (attribute) => `<Tree><Tree.File ${attribute} /></Tree>`],
    ["Tree.Folder", "name", (attribute) => `<Tree><Tree.Folder ${attribute}>Body</Tree.Folder></Tree>`],
    ["ParamField", "type", (attribute) => `<ParamField path="p" ${attribute}>Body</ParamField>`],
    ["ParamField", "default", (attribute) => `<ParamField path="p" ${attribute}>Body</ParamField>`],
    ["ResponseField", "pre", (attribute) => `<ResponseField name="p" ${attribute}>Body</ResponseField>`],
    ["ResponseField", "post", (attribute) => `<ResponseField name="p" ${attribute}>Body</ResponseField>`],
    ["Unknown", "title", (attribute) => `<Unknown ${attribute}>Body</Unknown>`],
    ["Unknown", "text", (attribute) => `<Unknown ${attribute} />`],
];

describe("JSX as the value of an attribute", () => {
    for (const [component, attribute, use] of uses) {
        it(`is shown with its markup: ${attribute} of <${component}>`, async () => {
            const { html, warnings } = await articleOf(use(`${attribute}={<b>zebra</b>}`));
            assert.match(html, /<b>zebra<\/b>/);
            assert.deepEqual(
                warnings.filter((warning) => !warning.includes("no component <Unknown>")),
                [],
            );
        });

        it(`is shown as before if it is text: ${attribute} of <${component}>`, async () => {
            assert.match((await articleOf(use(`${attribute}="plain zebra"`))).html, /plain zebra/);
        });
    }

    it("names parts by its words, for links, labels and tabs", async () => {
        const tabs = "<Tabs><Tab title={<>My <b>tab</b></>}>x</Tab></Tabs>";
        const accordion = "<Accordion title={<b>Open me</b>}>y</Accordion>";
        const list = '<Accordion title={["My ", <b>own</b>, [" list ", 2]]}>v</Accordion>';
        assert.match((await articleOf(list)).html, /id="my-own-list-2"/);
        const { html } = await articleOf(`${tabs}\n\n${accordion}\n\n<Warning title={<b>Hot</b>}>z</Warning>`);
        assert.match(html, /<section class="tab" id="my-tab" data-title="My tab">/);
        assert.match(html, /id="open-me"/);
        assert.match(html, /aria-label="Hot"><p class="callout-title">(?:<svg.*?<\/svg>)?<b>Hot<\/b><\/p>/);
    });
});
