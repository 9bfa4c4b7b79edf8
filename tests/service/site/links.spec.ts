import assert from "node:assert/strict";
import { withExport } from "./site-fixture.js";

async function hrefsOf(
    source: string,
    others: Record<string, string> = {},
): Promise<{ hrefs: string[]; warnings: string[] }> {
    let found: { hrefs: string[]; warnings: string[] } = { hrefs: [], warnings: [] };
    const files = {
        "index.md": "# Home",
        "guides/start.md": "# S",
        "guides/deep/page.md": source,
        "images/a b.png": "x",
        ...others,
    };
    await withExport(files, async (site) => {
        const article = /<article>[\s\S]*<\/article>/.exec(await site.read("guides/deep/page.html"))?.[0] ?? "";
        const hrefs = [...article.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? "");
        found = { hrefs, warnings: site.warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
    });
    return found;
}

describe("links between pages", () => {
    it("become relative, however they are written", async () => {
        const source =
            "[a](/guides/start) [b](../start.md) [c](../start) [d](/guides/start/) [e](/guides/start.mdx#x) [f](/guides/start?q=1#y) [g](/)";
        const { hrefs, warnings } = await hrefsOf(source);
        const start = "../start.html";
        assert.deepEqual(hrefs, [start, start, start, start, `${start}#x`, `${start}?q=1#y`, "../../index.html"]);
        assert.deepEqual(warnings, []);
    });

    it("stay as they are when they lead elsewhere or to an anchor", async () => {
        const elsewhere = ["https://example.com/a.md", "mailto:a@example.com", "//cdn.example.com/x", "#here"];
        assert.deepEqual((await hrefsOf(elsewhere.map((href) => `[x](${href})`).join(" "))).hrefs, elsewhere);
    });

    it("reach images and files, also with spaces in their names", async () => {
        const { hrefs } = await hrefsOf("![a](</images/a b.png>) ![b](../../images/a%20b.png)");
        assert.deepEqual(hrefs, ["../../images/a%20b.png", "../../images/a%20b.png"]);
    });

    it("reach pages whose names are not ASCII", async () => {
        const { hrefs } = await hrefsOf("[a](/prüfung)", { "prüfung.md": "# P" });
        assert.deepEqual(hrefs, ["../../pr%C3%BCfung.html"]);
    });

    it("are reported with file and line when they lead nowhere, and the export goes on", async () => {
        const { warnings } = await hrefsOf("Text\n\n[a](/nope) ![b](./gone.png)\n\n[c](../../../outside.md)");
        assert.deepEqual(warnings, [
            "guides/deep/page.md:3: the link /nope leads to no page and no file of this site",
            "guides/deep/page.md:3: the link ./gone.png leads to no page and no file of this site",
            "guides/deep/page.md:5: the link ../../../outside.md leaves the site's folder",
        ]);
    });

    it("are reported when they lead to a hidden page", async () => {
        const { warnings } = await hrefsOf("[a](/secret)", { "secret.md": "---\nhidden: true\n---\n" });
        assert.deepEqual(warnings, [
            "guides/deep/page.md:1: the link /secret leads to secret.md, which is hidden or not in the navigation",
        ]);
    });
});
