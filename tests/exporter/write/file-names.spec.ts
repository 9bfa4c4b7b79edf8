import assert from "node:assert/strict";
import { withExport } from "../support/site-fixture.js";

describe("the address of a page whose file name contains # or ?", () => {
    const settings = {
        navigation: { pages: ["c#/why?"] },
        contextual: { options: ["chatgpt"] },
        feedback: { suggestEdit: true, repository: "https://github.com/acme/docs" },
    };
    const files = { "docs.json": JSON.stringify(settings), "c#/why?.md": "# Why" };

    it("is complete in llms.txt, in the page's links and in the redirect of the site's root", async () => {
        await withExport(files, async ({ read }) => {
            assert.match(await read("llms.txt"), /https:\/\/docs\.example\.com\/c%23\/why%3F\.md/);
            const page = await read("c#/why?.html");
            assert.match(page, /href="https:\/\/github\.com\/acme\/docs\/edit\/main\/c%23\/why%3F\.md"/);
            assert.ok(page.includes(encodeURIComponent("https://docs.example.com/c%23/why%3F.md")));
            assert.match(await read("index.html"), /c%23\/why%3F\.html/);
        });
    });
});
