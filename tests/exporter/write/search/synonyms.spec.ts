import assert from "node:assert/strict";
import { warningsOf } from "../../support/site-fixture.js";
import { withSearch } from "./search-reader.js";

const pages = {
    "a.md": "# Revert an export\n\nServe an earlier export again.\n",
    "b.md": "# Widgets\n\nEach widget has a colour.\n",
    "c.md": "# Costs\n\nNothing of this page is about the others.\n",
};
const site = (search: object) => ({ ...pages, "docs.json": JSON.stringify({ search }) });

describe("The synonyms of a search", () => {
    it("find pages with another common word for the same thing, after pages with the word itself", async () => {
        await withSearch(pages, async ({ find }) => {
            assert.deepEqual(await find("rollback"), ["a.html"]);
            assert.deepEqual(await find("price"), ["c.html"]);
        });
        const both = { ...pages, "d.md": "# Rollback\n\nIn one step.\n" };
        await withSearch(both, async ({ find }) => assert.deepEqual(await find("rollback"), ["d.html", "a.html"]));
    });

    it("can be added by a site", async () => {
        await withSearch(pages, async ({ find }) => assert.deepEqual(await find("gizmos"), []));
        await withSearch(site({ synonyms: [["gizmo", "Widget"]] }), async ({ find }) => {
            assert.deepEqual(await find("gizmos"), ["b.html"]);
            assert.deepEqual(await find("widget"), ["b.html"]);
        });
    });

    it("are reported if they are not lists of single words", async () => {
        const expected = /search\.synonyms must be lists of two to 8 single words, such as \[\["rollback", "undo"\]\]$/;
        for (const synonyms of [["rollback", "undo"], [["roll back", "undo"]], [["undo"]], "undo"]) {
            const warnings = await warningsOf(site({ synonyms }));
            assert.equal(warnings.length, 1, String(warnings));
            assert.match(warnings[0] ?? "", expected);
        }
        for (const files of [site({ synonyms: [["rollback", "undo"]] }), site({}), pages]) {
            assert.deepEqual(await warningsOf(files), []);
        }
    });
});

describe("The words of a question that do not name its subject", () => {
    it("do not hide the page that answers it", async () => {
        const question = "# Asked\n\nHow do I do this, what can I get, and where is my page?\n";
        await withSearch({ ...pages, "d.md": question }, async ({ find }) => {
            assert.equal((await find("how do I get the colour of my widget"))[0], "b.html");
        });
    });

    it("are searched if a query has no other words", async () => {
        await withSearch({ "a.md": "# Who\n\nIt is we." }, async ({ find }) => {
            assert.deepEqual(await find("who is it"), ["a.html"]);
        });
    });
});
