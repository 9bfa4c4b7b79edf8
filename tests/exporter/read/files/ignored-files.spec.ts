import assert from "node:assert/strict";
import { IgnoredFiles } from "../../../../exporter/src/read/files/ignored-files.js";
import { failureOf, warningsOf, withExport, type Files } from "../../support/site-fixture.js";

describe("the files that .mintignore lists", () => {
    const files: Files = {
        ".mintignore": "# Not for readers\ndrafts/\n*.draft.md\n/notes.md\n!kept.draft.md\n",
        "index.md": "# Home",
        "notes.md": "# Notes",
        "deep/notes.md": "# Notes",
        "a.draft.md": "# A",
        "kept.draft.md": "# Kept",
        "deep/drafts/b.md": "# B",
        "deep/drafts/b.png": "b",
    };

    it("are not exported, neither as pages nor as other files", async () => {
        await withExport(files, async (site) => {
            assert.deepEqual(
                (await site.files()).filter((file) => /\.(?:html|png)$/.test(file)),
                ["404.html", "deep/notes.html", "index.html", "kept.draft.html"],
            );
        });
    });

    it("cannot be reached by a link or the navigation", async () => {
        const more = {
            "index.md": "[x](/notes)",
            "docs.json": JSON.stringify({ navigation: { pages: ["index", "a.draft"] } }),
        };
        assert.deepEqual(await warningsOf({ ...files, ...more }), [
            'docs.json:1: navigation names the page "a.draft", but there is no a.draft.md or a.draft.mdx',
            "index.md:1: the link /notes leads to no page and no file of this site",
        ]);
    });

    const rules: [string, string, boolean][] = [
        ["**/internal/**", "a/internal/b.md", true],
        ["**/internal/**", "internal/b.md", true],
        ["a/**/b.md", "a/b.md", true],
        ["a/**/b.md", "a/x/y/b.md", true],
        ["a/*.md", "a/x/b.md", false],
        ["a/*.md", "x/a/b.md", false],
        ["page?.md", "page1.md", true],
        ["page[!0-9].md", "page1.md", false],
        ["page[0-9].md", "x/page1.md", true],
        ["a.md", "a-md", false],
        ["\\!a.md", "!a.md", true],
        ["draft/", "draft", false],
        ["(a+)+$", "aaaa", false],
        ["*.md\n!a.md", "a.md", false],
        ["!a.md\n*.md", "a.md", true],
    ];
    for (const [text, file, isIgnored] of rules) {
        it(`${isIgnored ? "include" : "do not include"} ${file} if .mintignore contains ${JSON.stringify(text)}`, () => {
            assert.equal(new IgnoredFiles(text).has(file, false), isIgnored);
        });
    }

    for (const text of ["drafts\\x.md", "drafts\\*.md", "drafts\\.x", "drafts\\", "!drafts\\é.md", "a\\b/"]) {
        it(`stop the export if folders are separated as on Windows: ${text}`, () => {
            assert.throws(() => new IgnoredFiles(text), /a backslash does not separate folders here: write \//);
        });
    }

    for (const [text, file] of [
        ["\\#a.md", "#a.md"],
        ["a\\ ", "a "],
        ["what\\?.md", "what?.md"],
        ["\\[a\\].md", "[a].md"],
        ["a\\\\b", "a\\b"],
        ["a[*].md", "a*.md"],
    ] as const) {
        it(`include ${file} if .mintignore escapes a character: ${text}`, () => {
            assert.equal(new IgnoredFiles(text).has(file, false), true);
        });
    }

    it("stop the export if .mintignore is invalid, so that no ignored file is published", async () => {
        const failure = (text: string) => failureOf({ "index.md": "# Home", ".mintignore": text });
        assert.match(
            await failure("a\n[z-a].md\n"),
            /^\.mintignore:2: \[z-a\]\.md is not a valid \.gitignore pattern$/,
        );
        assert.match(
            await failure("a\n".repeat(1001)),
            /^\.mintignore: the file has more than 64000 characters or 1000 lines/,
        );
    });

    it("are found in linear time, regardless of the patterns", () => {
        const ignored = new IgnoredFiles(`${"*a".repeat(60)}*b\n`);
        assert.equal(ignored.has("a".repeat(250), false), false);
    });
});
