import assert from "node:assert/strict";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { listFiles, withFolder, writeFiles } from "../support/site-fixture.js";

describe("the readers of a page", () => {
    /** Exports these pages, and returns the pages that the export contains. */
    const exportedOf = async (pages: Record<string, string>, navigation?: object): Promise<string[]> =>
        withFolder(async (folder) => {
            const sourceDir = join(folder, "site");
            const outDir = join(folder, "out");
            await writeFiles(sourceDir, {
                ...Object.fromEntries(Object.entries(pages).map(([file, text]) => [file, `${text}\n# Title\n`])),
                ...(navigation && { "docs.json": JSON.stringify({ navigation }) }),
            });
            await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
            return (await listFiles(outDir)).filter((file) => file.endsWith(".md"));
        });

    it("are set by the page itself, or else by the innermost part of the navigation", async () => {
        const navigation = {
            groups: [
                { group: "Open", pages: ["a", "b"] },
                {
                    group: "Closed",
                    public: false,
                    pages: ["c", "d", "e", { group: "Inner", public: true, pages: ["f", "g", "h"] }],
                },
            ],
        };
        const pages = {
            "a.md": "",
            "b.md": "---\npublic: false\n---",
            "c.md": "",
            "d.md": "---\npublic: true\n---",
            "e.md": "---\npublic: true\ngroups: [x]\n---",
            "f.md": "",
            "g.md": "---\ngroups: [x]\n---",
            "h.md": "---\npublic: false\n---",
        };
        assert.deepEqual(await exportedOf(pages, navigation), ["a.md", "d.md", "f.md"]);
    });

    it("exclude the public if public: true elsewhere shows that the site requires a login", async () => {
        const open = "---\npublic: true\n---";
        const pages = { "a.md": "", "b.md": open, "c.md": "" };
        assert.deepEqual(await exportedOf(pages, { pages: ["a", "b", "c"] }), ["b.md"]);
        const parts = {
            groups: [
                { group: "A", pages: ["a"] },
                { group: "C", public: true, pages: ["c"] },
            ],
        };
        assert.deepEqual(await exportedOf({ ...pages, "b.md": "" }, parts), ["c.md"]);
        assert.deepEqual(await exportedOf(pages), ["b.md"]);
        assert.deepEqual(await exportedOf({ ...pages, "SUMMARY.md": "* [A](a.md)\n* [B](b.md)\n" }), ["b.md"]);
        assert.deepEqual(await exportedOf({ ...pages, "b.md": "" }), ["a.md", "b.md", "c.md"]);
    });

    it("are set by the private part of the navigation if a page is also in a public part", async () => {
        const navigation = {
            groups: [
                { group: "A", pages: ["a", "b"] },
                { group: "B", public: false, pages: ["a"] },
            ],
        };
        assert.deepEqual(await exportedOf({ "a.md": "", "b.md": "" }, navigation), ["b.md"]);
    });

    it("are also set by hidden and unnamed parts of the navigation", async () => {
        const navigation = {
            tabs: [
                { tab: "A", pages: ["a"] },
                { tab: "B", hidden: true, public: false, pages: ["b"] },
                { public: false, pages: ["c", { group: "D", hidden: true, root: "d", pages: [] }] },
            ],
        };
        assert.deepEqual(await exportedOf({ "a.md": "", "b.md": "", "c.md": "", "d.md": "" }, navigation), ["a.md"]);
    });

    it("exclude the public if the front matter of the page contains a mistake", async () => {
        const pages = {
            "index.md": "",
            "a.md": '---\ngroups:\n  - admin\ntitle: "no end\n---',
            "b.md": "---\ngroups: [admin]\ntitle: a: b: c\n\ttab\n---",
            "c.md": "---\ngroups:\n  includes: [a]\n---",
            "d.md": "---\ngroups: []\n---",
            "e.md": "---\npublic: no\n---",
            "f.md": "---\ngroups: [admin]\ntitle: F",
            "g.md": "---\n'groups': [admin]\ntitle: [\n---",
        };
        assert.deepEqual(await exportedOf(pages), ["index.md"]);
    });
});
