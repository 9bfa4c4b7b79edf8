import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const drawing = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${attributes}</svg>`;
const files = {
    "docs.json": JSON.stringify({ navigation: { pages: ["index", "g/a"] } }),
    "index.md": "# Home",
    "g/a.mdx":
        '---\ntitle: A\nicon: /i/own.svg\n---\n\n<Card title="B" icon="/i/logo.svg" />\n\n<Card title="C" icon="/i/black.svg" />\n',
    "i/own.svg": drawing('<path stroke="currentColor" fill="none" d="M0 0h8"/>'),
    "i/black.svg": drawing('<path d="M0 0h8"/>'),
    "i/logo.svg": drawing('<path fill="#f00" d="M0 0h8"/><path d="M0 0v8"/>'),
};

describe("Icons that are files of the site", () => {
    it("take the text colour, both in the text and in the frame, if they are drawn in one colour", async () => {
        await withExport(files, async ({ read }) => {
            const masked = /<span class="icon masked" style="--icon:url\(&quot;data:image\/svg\+xml,([^"]*)&quot;\)">/g;
            const pageOf = async (file: string) => [...(await read(file)).matchAll(masked)];
            assert.deepEqual(
                (await pageOf("g/a.html")).map(([, source = ""]) => decodeURIComponent(source)),
                [files["i/own.svg"], files["i/black.svg"]],
            );
            assert.equal((await pageOf("index.html")).length, 1);
            assert.equal((await pageOf("404.html")).length, 1);
        });
    });

    it("keep their own colours if they use several colours", async () => {
        await withExport(files, async ({ read }) => {
            assert.match(await read("g/a.html"), /<img class="icon" src="\.\.\/i\/logo\.svg" alt="" loading="lazy">/);
        });
    });
});
