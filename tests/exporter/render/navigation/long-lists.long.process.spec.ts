import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listFiles, sidebarOf, withExport, type Files } from "../../support/site-fixture.js";

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const name = (at: number) => `p${String(at).padStart(4, "0")}`;
const page = (at: number, frontMatter = "") => `---\ntitle: Page ${at}\n${frontMatter}---\n\nText.\n`;
const flat = (count: number): Files => Object.fromEntries(range(count).map((at) => [`${name(at)}.md`, page(at)]));
const grouped = (groups: number, pages: number): Files =>
    Object.fromEntries(
        range(groups).flatMap((group) => range(pages).map((at) => [`g${name(group)}/${name(at)}.md`, page(at)])),
    );

/** Finds the pages that a reader without scripts can reach through sidebars and pages with lists. */
async function reachable(read: (file: string) => Promise<string>, start: string): Promise<Set<string>> {
    const seen = new Set([start]);
    const waiting = [start];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
        const html = await read(file);
        const list = file.startsWith("static-export/")
            ? html
            : (/<nav class="sidebar".*?<\/nav>/s.exec(html)?.[0] ?? "");
        for (const [, href = ""] of list.matchAll(/<a [^>]*?href="([^":#]+\.html)"/g)) {
            const target = join(file, "..", decodeURI(href));
            if (!seen.has(target)) {
                seen.add(target);
                waiting.push(target);
            }
        }
    }
    return seen;
}

describe("the page list of a large site", () => {
    it("shows the current page and some neighbours, regardless of the number of pages", async () => {
        const sizes: number[] = [];
        for (const count of [500, 1000]) {
            await withExport(flat(count), async ({ read }) => {
                const html = await read(`${name(250)}.html`);
                const listed = sidebarOf(html).map(([href]) => href);
                assert.ok([245, 249, 250, 251, 255].every((at) => listed.includes(`${name(at)}.html`)));
                assert.match(html, /<a href="p0250\.html" aria-current="page">Page 250<\/a>/);
                assert.ok(listed.length < 40, `${listed.length} links`);
                sizes.push(html.length);
            });
        }
        assert.ok(Math.abs((sizes[0] ?? 0) - (sizes[1] ?? 0)) < 100, sizes.join());
    });

    it("names the first and last folded page, and links to a page that lists all folded pages", async () => {
        await withExport(flat(500), async ({ read }) => {
            const html = await read(`${name(250)}.html`);
            const folds = Array.from(html.matchAll(/data-fold><a class="group-title" href="(.*?)">(.*?)<\/a>/g));
            assert.deepEqual(
                folds.map(([, href, title]) => [href, title]),
                [
                    ["static-export/pages/0-0-1.html", "Page 0 &ndash; Page 234"],
                    ["static-export/pages/0-0-1.html", "Page 265 &ndash; Page 499"],
                ],
            );
            const list = await read("static-export/pages/0-0-1.html");
            assert.match(list, /<h1[^>]*>Page 200 – Page 399<\/h1>/);
            assert.match(list, /<li><a href="\.\.\/\.\.\/p0234\.html">Page 234<\/a><\/li>/);
            assert.match(list, /<a rel="prev" href="0-0-0\.html">/);
            assert.match(list, /<meta name="robots" content="noindex">/);
            assert.doesNotMatch(await read("sitemap.xml"), /static-export/);
        });
    });

    for (const [what, files] of Object.entries({
        "in one folder": flat(700),
        "in 100 folders": grouped(100, 6),
        "in folders within folders": Object.fromEntries(
            range(5).flatMap((one) =>
                range(70).flatMap((two) =>
                    range(2).map((at) => [`a${one}/b${name(two)}/${name(at)}.md`, page(at)] as const),
                ),
            ),
        ),
    })) {
        it(`links to every page without scripts: ${what}`, async () => {
            await withExport(files, async ({ read, outDir }) => {
                const pages = (await listFiles(outDir)).filter((file) => /^(?!404|index).*\.html$/.test(file));
                const start = pages.find((file) => !file.startsWith("static-export/")) ?? "";
                const seen = await reachable(read, start);
                assert.deepEqual(
                    pages.filter((file) => !seen.has(file)),
                    [],
                );
            });
        });
    }

    it("shows the groups near the page's group, with a link to the first page of each", async () => {
        await withExport(grouped(100, 6), async ({ read }) => {
            const listed = sidebarOf(await read("gp0050/p0003.html"));
            const titles = listed.map(([, text]) => text);
            assert.deepEqual(
                listed.filter(([href]) => /^p\d+\.html$/.test(href)).map(([, text]) => text),
                range(6).map((at) => `Page ${at}`),
            );
            assert.ok(titles.includes("Gp0049") && titles.includes("Gp0051"));
            assert.ok(!titles.includes("Gp0000") && !titles.includes("Gp0099"));
        });
    });

    it("is stored completely in one file per section, which the section's pages reference", async () => {
        const tabs = ["One", "Two"].map((tab, at) => ({
            tab,
            pages: range(200).map((number) => `t${at}/${name(number)}`),
        }));
        const files = Object.fromEntries(
            tabs.flatMap(({ pages }) => pages.map((route, at) => [`${route}.md`, page(at, "tag: New\n")] as const)),
        );
        const settings = { "docs.json": JSON.stringify({ name: "Docs", navigation: { tabs } }) };
        await withExport({ ...files, ...settings }, async ({ read }) => {
            for (const at of [0, 1]) {
                const file = `static-export/pages/${at}.js`;
                assert.match(await read(`t${at}/${name(7)}.html`), new RegExp(`<ul data-list="${file}">`));
                const [, json = ""] = /^staticExportList\((.*)\);\n$/.exec(await read(file)) ?? [];
                const entries = JSON.parse(json) as [string, string][];
                assert.equal(entries.length, 200);
                assert.deepEqual(entries[7], [`t${at}/p0007.html`, 'Page 7 <span class="nav-tag">New</span>']);
            }
        });
    });

    it("contains the titles of private pages only in the files for their readers", async () => {
        const files = { ...flat(400), ...Object.fromEntries(range(90).map((at) => [`zebra-${at}.md`, zebra(at)])) };
        await withExport(
            files,
            async ({ outDir }) => {
                const access = JSON.parse(await readFile(join(outDir, "access.json"), "utf8")) as {
                    files: Record<string, string[]>;
                };
                const found: string[] = [];
                for (const file of await listFiles(outDir)) {
                    if (/zebra/i.test(`${file}\n${await readFile(join(outDir, file), "utf8")}`)) {
                        found.push(file);
                    }
                }
                assert.ok(found.includes("_private/1/pages/0.js") && found.includes("_private/1/pages/0-0-2.html"));
                assert.deepEqual(
                    found.filter((file) => file !== "access.json" && access.files[file]?.join() !== "staff"),
                    [],
                );
            },
            { privatePages: "keep-apart" },
        );
    });

    it("is complete on each page if the site has only 300 pages", async () => {
        await withExport(flat(300), async ({ read, outDir }) => {
            assert.equal(sidebarOf(await read(`${name(3)}.html`)).length, 300);
            const own = (await listFiles(outDir)).filter((file) => /page-list|static-export\/pages\//.test(file));
            assert.deepEqual(own, []);
        });
    });
});

function zebra(at: number): string {
    return page(at, "groups: [staff]\n").replace("Page", "Zebra");
}
