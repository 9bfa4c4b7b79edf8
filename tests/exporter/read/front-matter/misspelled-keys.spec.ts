import assert from "node:assert/strict";
import { misspelledKeys } from "../../../../exporter/src/read/front-matter/misspelled-keys.js";
import { failureOf, sidebarOf, warningsOf, withExport, type Files } from "../../support/site-fixture.js";

const site = (frontMatter: string): Files => ({
    "index.md": "# Home\n",
    "zebra.md": `---\ntitle: Zebra\n${frontMatter}\n---\n\nText\n`,
});

describe("A misspelled key of front matter", () => {
    const typos: [line: string, meant: string][] = [
        ["descripton: Text", "description"],
        ["sidebar_title: Short", "sidebarTitle"],
        ["serchable: false", "searchable"],
        ["noIndex: false", "noindex"],
    ];
    for (const [line, meant] of typos) {
        it(`is a warning that names ${meant}: ${line}`, async () => {
            const key = line.replace(/:.*/, "");
            assert.deepEqual(await warningsOf(site(line)), [
                `zebra.md:3: the key ${key} is not known: did you mean ${meant}?`,
            ]);
        });
    }

    it("fails a strict export", async () => {
        const failure = await failureOf(site("descripton: Text"), { strict: true });
        assert.match(failure, /^zebra\.md:3: the key descripton is not known: did you mean description\?/);
    });

    for (const line of ["drft: true", "publshed: false", "draft: yes", "published: no"]) {
        it(`leaves the page out, with a warning: ${line}`, async () => {
            await withExport(site(line), async ({ files, warnings, draftCount }) => {
                assert.equal((await files()).includes("zebra.html"), false);
                assert.deepEqual(
                    [warnings.map((each) => `${each.file}:${each.line}`), draftCount],
                    [["zebra.md:3"], 1],
                );
            });
        });
    }

    it("leaves the page out if it restricts the readers, and names the key's line", async () => {
        const left = "the page is for certain readers, so it is left out. Use --access to export it for them, ";
        assert.deepEqual(await warningsOf(site("group: [staff]")), [
            `zebra.md:3: group: ${left}or --publish-groups to export it for everybody`,
            "zebra.md:3: the key group is not known: did you mean groups?",
        ]);
    });

    for (const line of ["noIndex: true", "no_index: true", "noindx: 'true'"]) {
        it(`keeps the page from search engines: ${line}`, async () => {
            await withExport(site(line), async ({ read }) => {
                assert.match(await read("zebra.html"), /<meta name="robots" content="noindex/);
                assert.doesNotMatch(await read("sitemap.xml"), /zebra/);
            });
        });
    }

    it("hides the page from the navigation", async () => {
        for (const line of ["hiden: true", "unlited: true"]) {
            await withExport(site(line), async ({ read }) => {
                assert.deepEqual(
                    sidebarOf(await read("index.html")).map(([, text]) => text),
                    ["Home"],
                );
            });
        }
    });

    it("has no effect and no warning if the page has the correct key, too", async () => {
        assert.deepEqual(await warningsOf(site("draft: false\ndrafts: true")), []);
    });

    it("is not a key of another builder, or a name that a site invented", () => {
        const others =
            "tags tab type author authors category categories slug id weight layout image date publishedAt published_at " +
            "publishDate created createdAt updated released deprecatedIn folder border subgroups usergroups groupId " +
            "sidebar_label sidebar_position pagination_label toc last_update version product summary model";
        assert.deepEqual(misspelledKeys(Object.fromEntries(others.split(" ").map((key) => [key, "a"]))).misspelled, []);
    });
});

describe("A date after published", () => {
    it("does not mark a draft, as in the front matter of blogs", async () => {
        await withExport(site("published: 2026-11-01"), ({ draftCount }) => assert.equal(draftCount, 0));
    });
});
