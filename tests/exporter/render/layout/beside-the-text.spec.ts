import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

const example = "<RequestExample>\n\n```sh One\necho one\n```\n\n</RequestExample>";
const headings = "## First\n\n## Second\n";

/** Returns the content that a page shows next to its text, or undefined. */
async function besideOf(source: string, files: Files = {}): Promise<string | undefined> {
    const page = await pageOf(source, files);
    return /<div class="beside"[^>]*>\n?([^]*?)<\/div>\n<div>/.exec(page)?.[1];
}

async function pageOf(source: string, files: Files = {}): Promise<string> {
    let page = "";
    await withExport({ "index.mdx": source, ...files }, async (site) => {
        page = await site.read("index.html");
    });
    return page;
}

describe("examples and panels of a page", () => {
    it("are next to the text in page order, instead of the table of contents", async () => {
        const page = await pageOf(`Above\n\n<Panel>A note</Panel>\n\n${example}\n\n${headings}`);
        assert.match(page, /class="layout without-toc with-beside"/);
        assert.match(page, /<div class="beside"[^>]*><div class="panel"[^>]*>A note<\/div><div class="example"/);
        assert.doesNotMatch(page, /class="toc"/);
        assert.match(await pageOf(`Above\n\n${headings}`), /class="toc"/);
    });

    it("follow the title and the description if there is no room next to the text", async () => {
        const given = await pageOf(`---\ntitle: Home\ndescription: About\n---\n\nText\n\n${example}\n`);
        assert.match(
            given,
            /<h1[^>]*>Home<\/h1>\n<p class="lead">About<\/p>\n<\/header>\n<\/div>\n<div class="beside"[^]*<p>Text<\/p>/,
        );
        const own = await pageOf(`# Own *title*\n\nText\n\n${example}\n`);
        assert.match(own, /Own <em>title<\/em><\/h1><\/div>\n<div class="beside"[^]*<p>Text<\/p>/);
    });

    it("keep an example in place if it is within a panel, tab or view", async () => {
        assert.match(
            (await besideOf(`<Panel>\nNote\n\n${example}\n\n</Panel>`)) ?? "",
            /^<div class="panel"[^]*Note[^]*class="example"/,
        );
        assert.equal(await besideOf(`<Tabs><Tab title="T">\n\n${example}\n\n</Tab></Tabs>`), undefined);
        assert.equal(await besideOf(`<View title="V">\n\n${example}\n\n</View>`), undefined);
    });

    it("are next to the text even if they come from an imported snippet", async () => {
        const snippet = { "snippets/part.mdx": example };
        assert.match(
            (await besideOf('import Part from "/snippets/part.mdx"\n\n<Part />', snippet)) ?? "",
            /<div class="example"/,
        );
    });

    it("stay in the body text if the layout has no side column", async () => {
        const page = await pageOf(`---\nmode: wide\n---\n\n${example}\n`);
        assert.match(page, /class="layout without-toc wide"/);
        assert.match(page, /<div class="example"/);
    });
});
