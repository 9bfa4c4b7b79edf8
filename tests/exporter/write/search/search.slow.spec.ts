import assert from "node:assert/strict";
import { withSearch, type SearchReader } from "./search-reader.js";
import { type Files } from "../../support/site-fixture.js";

const files: Files = {
    "index.md": "---\ntitle: Home\ndescription: The beginning\n---\n\nWelcome to the bundle.",
    "guides/bundle.md":
        "# Bundle\n\nAn archive.\n\n## Renewal\n\nThe link expires after a while. Crème brûlée.\n\n## Policies\n\nRun `exportSite`.\n",
    "guides/other.md": "# Other\n\n## Waiting\n\n```bash\npulumi up --yes\n```\n\nIt waits for the bundles.\n",
    "guides/cjk.md": "# 日本語\n\n設定ファイルを変更します。\n\n## 한국어\n\n문서를 내보냅니다.\n",
};

describe("the search of an export", () => {
    const find = (query: string, use: (found: string[]) => void) =>
        withSearch(files, async (search: SearchReader) => use(await search.find(query)));

    it("finds sections that contain the words, and links to their heading", async () => {
        await find("link expires", (found) => assert.deepEqual(found, ["guides/bundle.html#renewal"]));
        await find("link nowhere", (found) => assert.deepEqual(found, ["guides/bundle.html#renewal"]));
    });

    it("finds a section by its own words combined with words of the page's title", async () => {
        await find("bundle renewal", (found) => assert.deepEqual(found, ["guides/bundle.html#renewal"]));
    });

    it("ranks a title above body text", async () => {
        await find("bundle", (found) => assert.equal(found[0], "guides/bundle.html"));
    });

    it("ranks a page whose title is the query above a page that mentions the query more often", async () => {
        const often = "# Extract data of pages\n\nExtract it.\n\n## Extract\n\nExtract more.\n";
        await withSearch({ "a.md": often, "b.md": "# Extract\n\nA method." }, async ({ find }) => {
            assert.equal((await find("extract"))[0], "b.html");
            assert.equal((await find("extract data of pages"))[0], "a.html");
        });
    });

    it("keeps showing its results while the next word is being typed", async () => {
        await find("link ex", (found) => assert.deepEqual(found, ["guides/bundle.html#renewal"]));
        await find("link zzz", (found) => assert.deepEqual(found, ["guides/bundle.html#renewal"]));
        await find("zzz", (found) => assert.deepEqual(found, []));
        await find("ex", (found) => assert.deepEqual(found, []));
        await find("設定 海洋", (found) => assert.deepEqual(found, ["guides/cjk.html"]));
    });

    it("finds a page by keywords that are not in its text", async () => {
        const page = "---\ntitle: Setup\nkeywords: [installation, first steps]\n---\nText.";
        await withSearch({ "a.md": page, "b.md": "# Other" }, async ({ find }) => {
            assert.deepEqual(await find("installation"), ["a.html"]);
            assert.deepEqual(await find("first text"), ["a.html"]);
        });
    });

    it("ignores case and accents, and finds code and descriptions", async () => {
        await withSearch(files, async ({ find }) => {
            assert.deepEqual(await find("RENEWAL"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(await find("creme brulee"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(await find("--yes"), ["guides/other.html#waiting"]);
            assert.deepEqual(await find("beginning"), ["index.html"]);
        });
    });

    it("finds words by their prefixes, and names by their parts", async () => {
        await withSearch(files, async ({ find }) => {
            assert.deepEqual(await find("expir"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(await find("exportSite"), ["guides/bundle.html#policies"]);
            assert.deepEqual(await find("site"), ["guides/bundle.html#policies"]);
        });
    });

    it("finds other forms of a word", async () => {
        await withSearch(files, async ({ find }) => {
            assert.deepEqual(await find("expiring"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(await find("policy"), ["guides/bundle.html#policies"]);
        });
    });

    it("tolerates one typo in an unknown word, and two typos in a long word", async () => {
        await withSearch(files, async ({ find }) => {
            for (const slip of ["expries", "exires", "exxpires", "ezpires", "renewl", "rneewal"]) {
                assert.deepEqual(await find(slip), ["guides/bundle.html#renewal"], slip);
            }
            assert.deepEqual(await find("beginnniing"), ["index.html"]);
            assert.deepEqual(await find("ezpirez"), []);
        });
    });

    it("tolerates typos in several words, even if each typo resembles another word", async () => {
        const others = "# Words\n\ntown torn toon tons\n";
        const page = "# Keys\n\nA refresh token renews the other one.";
        await withSearch({ "a.md": others, "b.md": page }, async ({ find }) => {
            assert.equal((await find("refesh tokn"))[0], "b.html");
            assert.equal((await find("refresh tokn"))[0], "b.html");
        });
    });

    it("finds words in scripts that do not separate words with spaces", async () => {
        await withSearch(files, async ({ find }) => {
            assert.deepEqual(await find("設定"), ["guides/cjk.html"]);
            assert.deepEqual(await find("ファイルを変更"), ["guides/cjk.html"]);
            assert.deepEqual(await find("문서"), ["guides/cjk.html#한국어"]);
        });
    });

    it("finds nothing for an empty query", async () => {
        await find("  ", (found) => assert.deepEqual(found, []));
    });

    it("accepts any text on a page", async () => {
        const page = '# A\n\n`</script>` \\u2028 \u2028 `"];` constructor `__proto__`';
        await withSearch({ "index.md": page }, async ({ find }) => {
            assert.deepEqual(await find("</script>"), ["index.html"]);
            assert.deepEqual(await find("constructor"), ["index.html"]);
            assert.deepEqual(await find("__proto__"), ["index.html"]);
        });
    });
});
