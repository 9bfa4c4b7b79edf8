import assert from "node:assert/strict";
import { withExport } from "../support/site-fixture.js";

describe("a page without front matter", () => {
    it("takes its title from a heading of MDX without the source of expressions", async () => {
        const titles = {
            "T {1 + 1}": "T",
            "A {'b'} c": "A b c",
            "Use `{a}`": "Use {a}",
            "\\{a}": "{a}",
            "B {/* x */}": "B",
        };
        for (const [heading, title] of Object.entries(titles)) {
            await withExport({ "a.mdx": `# ${heading}\n` }, async (site) => {
                assert.equal(
                    /<title>([^<]*)<\/title>/.exec(await site.read("a.html"))?.[1],
                    `${title} &ndash; docs.example.com`,
                );
            });
        }
        await withExport({ "a.md": "# T {1 + 1}\n" }, async (site) => {
            assert.match(await site.read("a.html"), /<title>T \{1 \+ 1\} /);
        });
    });
});
