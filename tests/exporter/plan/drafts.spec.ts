import assert from "node:assert/strict";
import { LiveSite } from "../../../exporter/src/live/live-site.js";
import {
    failureOf,
    sidebarOf,
    withExport,
    withFolder,
    withRepeatedExports,
    writeFiles,
} from "../support/site-fixture.js";

const page = (frontMatter: string, text = "zebra") => `---\n${frontMatter}\n---\n\n# Title\n\n${text}\n`;

describe("A draft", () => {
    const marks = ["draft: true", 'draft: "true"', "published: false"];

    for (const mark of marks) {
        it(`is in no file of an export with ${mark}, even if the navigation names the page`, async () => {
            const site = { "index.md": "# Home\n", "zebra.md": page(mark) };
            const configured = {
                ...site,
                "docs.json": '{"navigation":{"pages":["index","zebra"]},"seo":{"indexing":"all"}}',
            };
            for (const files of [site, configured]) {
                await withExport(files, async ({ read, files: list, pageCount, draftCount, warnings }) => {
                    assert.deepEqual([pageCount, draftCount, warnings], [1, 1, []]);
                    const found = await list();
                    assert.deepEqual(
                        found.filter((file) => file.includes("zebra")),
                        [],
                    );
                    for (const file of found) {
                        assert.doesNotMatch(await read(file), /zebra/, file);
                    }
                });
            }
        });
    }

    it("is exported if the mark is false", async () => {
        const files = { "index.md": page("draft: false"), "a.md": page("published: true") };
        await withExport(files, ({ pageCount, draftCount }) => assert.deepEqual([pageCount, draftCount], [2, 0]));
    });

    it("is named by a warning about a link to it", async () => {
        const files = { "index.md": "# Home\n\n[next](./next.md)\n", "next.md": page("draft: true") };
        await withExport(files, ({ warnings }) =>
            assert.deepEqual(
                warnings.map(({ line, reason }) => [line, reason]),
                [[3, "the link ./next.md leads to next.md, which is left out because it is a draft"]],
            ),
        );
    });

    it("appears in the next export after its mark is removed", async () => {
        const files = { "index.md": "# Home\n\n[next](./next.md)\n", "next.md": page("draft: true") };
        await withRepeatedExports(files, async ({ sourceDir, again }) => {
            assert.equal((await again()).kept.draftCount, 1);
            assert.equal((await again()).kept.draftCount, 1);
            await writeFiles(sourceDir, { "next.md": page("draft: false") });
            assert.equal((await again()).kept.pageCount, 2);
        });
    });

    it("fails the export if no other page is left", async () => {
        assert.match(
            await failureOf({ "index.md": page("draft: true") }),
            /every page of the site is hidden or a draft/,
        );
    });

    it("is shown by a live preview, with a mark in the navigation and a note on the page", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, { "index.md": "# Home\n", "next.md": page("title: Next\ndraft: true") });
            const site = new LiveSite(folder, folder, undefined);
            await site.plan();
            const shown = await site.file("next.html");
            assert.equal(shown.kind, "page");
            const html = shown.kind === "page" ? shown.html : "";
            assert.match(html, /zebra/);
            assert.match(html, /Next <span class="nav-tag">Draft<\/span>/);
            assert.deepEqual(
                (await site.state("next.html")).warnings.map(({ line, reason }) => [line, reason]),
                [[3, "the page is a draft (draft: true): exports leave it out"]],
            );
        });
    });
});

describe("A page with unlisted: true", () => {
    it("is exported, but in no menu, sitemap, search or list for agents", async () => {
        const files = { "index.md": "# Home\n", "zebra.md": page("title: Zebra\nunlisted: true") };
        await withExport(files, async ({ read, files: list }) => {
            assert.match(await read("zebra.html"), /<meta name="robots" content="noindex"/);
            assert.deepEqual(
                sidebarOf(await read("index.html")).map(([, text]) => text),
                ["Home"],
            );
            for (const file of (await list()).filter((each) => !each.startsWith("zebra."))) {
                assert.doesNotMatch(await read(file), /zebra/i, file);
            }
        });
    });
});
