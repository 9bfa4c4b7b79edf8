import assert from "node:assert/strict";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { compareSites } from "../../../exporter/src/compare/compare-sites.js";
import { type Comparison } from "../../../exporter/src/compare/comparison.js";
import { describeComparison, readSite } from "../../../cli/src/compare/run-compare.js";
import { type ComparedSite } from "../../../exporter/src/compare/compared-site.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

async function exported(files: Files): Promise<ComparedSite> {
    return withFolder(async (folder) => {
        await writeFiles(join(folder, "site"), files);
        const outDir = join(folder, "out");
        await exportSite({ sourceDir: join(folder, "site"), outDir, domain: "docs.example.com" });
        return readSite(outDir);
    });
}

async function ready(files: Files): Promise<ComparedSite> {
    return withFolder(async (folder) => {
        await writeFiles(folder, files);
        return readSite(folder);
    });
}

const before = {
    "index.md": "# Home\n\n[Start](start)\n",
    "start.md": "# Start\n\n## First step\n\nText.\n",
    "guides/old.md": "# Old guide\n",
};

async function changeTo(after: Files): Promise<Comparison> {
    return compareSites(await exported(before), await exported(after));
}

describe("The comparison of two exports", () => {
    it("finds no difference between two exports of the same pages", async () => {
        const comparison = await changeTo(before);
        assert.deepEqual(comparison, {
            added: [],
            changed: [],
            removed: [],
            deadLinks: [],
            becomePrivate: [],
            becomePublic: [],
            missingRedirects: [],
        });
        assert.equal(describeComparison(comparison), "No page differs.");
    });

    it("lists added, changed and removed pages, each with its title", async () => {
        const { "guides/old.md": _, ...kept } = before;
        const comparison = await changeTo({ ...kept, "start.md": "# Start\n\nOther text.\n", "new.md": "# New\n" });
        const pages = ({ added, changed, removed }: Comparison) =>
            [added, changed, removed].map((list) => list.map(({ page }) => page));
        assert.deepEqual(pages(comparison), [["/new"], ["/start"], ["/guides/old"]]);
        assert.match(describeComparison(comparison), /^added +\/new \(New/m);
    });

    it("does not report a page as changed if only other pages were added around it", async () => {
        const { changed } = await changeTo({ ...before, "later.md": "# Later\n" });
        assert.deepEqual(changed, []);
    });

    it("does not report an API page as changed if only its neighbours, the date or the version changed", async () => {
        const openapi = (...paths: string[]) =>
            JSON.stringify({
                openapi: "3.1.0",
                info: { title: "Plants", version: "1" },
                paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
            });
        const settings = (name: string) =>
            JSON.stringify({
                name,
                timestamp: true,
                navigation: { pages: ["index", { group: "API", openapi: "openapi.json" }] },
            });
        const old = await exported({
            "index.md": "# Home\n",
            "openapi.json": openapi("/plants"),
            "docs.json": settings("A"),
        });
        const now = await exported({
            "index.md": "# Home\n",
            "openapi.json": openapi("/plants", "/seeds"),
            "docs.json": settings("B"),
        });
        const { added, changed } = compareSites(old, now);
        assert.deepEqual([added.length, changed], [1, []]);
    });

    for (const [what, html, isChanged] of [
        ["the article", "<article>New</article><p>Changed on Monday</p>", true],
        ["a list of other pages", "<article>Old<nav>Others</nav></article><p>Changed on Monday</p>", false],
        ["the text next to the article", "<article>Old</article><p>Changed on Tuesday</p>", false],
        ["the footer", "<article>Old</article><footer>Version 2</footer>", false],
        ["a footer within the text", "<article>Old<footer>A source</footer></article>", true],
        ["one of several articles", "<article>Old</article><article>Another</article>", true],
    ] as const) {
        it(`${isChanged ? "counts" : "does not count"} a page without a Markdown copy as changed if ${what} changed`, async () => {
            const page = (main: string) => ready({ "index.html": `<main>${main}</main>` });
            const { changed } = compareSites(
                await page("<article>Old</article><p>Changed on Monday</p>"),
                await page(html),
            );
            assert.equal(changed.length, isChanged ? 1 : 0);
        });
    }

    it("reports a removed page without a redirect", async () => {
        const { "guides/old.md": _, ...kept } = before;
        const comparison = await changeTo(kept);
        assert.deepEqual(
            comparison.missingRedirects.map(({ page }) => page),
            ["/guides/old"],
        );
        assert.match(describeComparison(comparison), /^removed +\/guides\/old .*, without a redirect: /m);
    });

    for (const source of ["/guides/old", "/guides/:page"]) {
        it(`accepts a removed page with the redirect ${source}`, async () => {
            const { "guides/old.md": _, ...kept } = before;
            const redirects = [{ source, destination: "/start" }];
            const comparison = await changeTo({ ...kept, "docs.json": JSON.stringify({ name: "Docs", redirects }) });
            assert.deepEqual(comparison.missingRedirects, []);
            assert.equal(comparison.removed.length, 1);
        });
    }

    it("lists new dead links, and links to removed pages and headings", async () => {
        const old = { "index.html": '<a href="start.html#first">a</a><a href="old.html">b</a>', "old.html": "Old" };
        const pages = { ...old, "start.html": '<h2 id="first">First</h2>' };
        const after = {
            "index.html": `${old["index.html"]}<a href="nowhere.html">c</a>`,
            "start.html": '<h2 id="second">Second</h2>',
        };
        const { deadLinks } = compareSites(await ready(pages), await ready(after));
        assert.deepEqual(
            deadLinks.map(({ href }) => href),
            ["start.html#first", "old.html", "nowhere.html"],
        );
    });

    it("ignores links that were already dead, that leave the site, or that the server resolves", async () => {
        const links = [
            "gone.html",
            "https://example.com/x",
            "mailto:a@example.com",
            "#top",
            "guides/",
            "start",
            "/start?a=b",
        ];
        const index = links.map((href) => `<a href="${href}">a</a>`).join("");
        const rest = { "guides/index.html": "Guides", "start.html": "Start" };
        const old = await ready({ "index.html": '<a href="gone.html">a</a>', ...rest });
        assert.deepEqual(compareSites(old, await ready({ "index.html": index, ...rest })).deadLinks, []);
    });

    it("shows a title with forged lines or terminal sequences as one harmless line", async () => {
        const forged = "<title>a\nremoved   /index\u001b[2J</title>";
        const comparison = compareSites(
            await ready({ "a.html": "a" }),
            await ready({ "a.html": "a", "b.html": forged }),
        );
        assert.match(describeComparison(comparison), /^added +\/b \(a removed \/index\)\n1 added/);
    });

    it("lists pages that become private or public", async () => {
        const access = (...files: string[]) =>
            `{\n  "formatVersion": 1,\n  "files": {\n${files.map((file) => `    "${file}": ["a"]`).join(",\n")}\n  }\n}\n`;
        const pages = { "a.html": "A", "b.html": "B", "c.html": "C" };
        const comparison = compareSites(
            await ready({ ...pages, "access.json": access("a.html", "c.html") }),
            await ready({ ...pages, "access.json": access("b.html", "c.html") }),
        );
        assert.deepEqual(
            [comparison.becomePublic, comparison.becomePrivate].map((list) => list.map(({ page }) => page)),
            [["/a"], ["/b"]],
        );
        assert.match(
            describeComparison(comparison),
            /^public +\/a, .*\nprivate +\/b, .*\n1 becomes public, 1 becomes private, 0 added/,
        );
    });
});
