import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { petsSite } from "../../support/pets-site.js";
import { withExport, withRepeatedExports, type ExportedSite } from "../../support/site-fixture.js";

const styles = "static-export/utilities.css";

const grid =
    'export const Tile = ({ name }) => <div className="rounded-xl border p-4">{name}</div>\n\n' +
    '<div className="grid grid-cols-1 md:grid-cols-2 gap-4"><Tile name="A" /><Tile name="B" /></div>\n\n' +
    '<p className="block dark:hidden">light</p>\n\n<p className="hidden dark:block">dark</p>\n';

describe("Tailwind classes", () => {
    it("become one style sheet, which only pages with the classes load", async () => {
        await withExport(
            { "index.mdx": grid, "deep/a.md": '<b class="w-6">x</b>', "deep/b.md": "# B" },
            async (site) => {
                const css = await site.read(styles);
                for (const part of [
                    /grid-cols-1\)\{grid-template-columns/,
                    /@media \(min-width: ?768px\)/,
                    /w-6\)\{width:1\.5rem/,
                ]) {
                    assert.match(css, part);
                }
                assert.match(await site.read("index.html"), new RegExp(`href="${styles}"`));
                assert.match(await site.read("deep/a.html"), new RegExp(`href="../${styles}"`));
                assert.doesNotMatch(await site.read("deep/b.html"), /utilities/);
            },
        );
    });

    it("add nothing to a site that does not use the classes, regardless of its components and operations", async () => {
        const hasNone = (site: ExportedSite) => assert.rejects(site.read(styles), /ENOENT/);
        await withExport(petsSite({ groups: [{ group: "API", openapi: "openapi.json" }] }), hasNone);
        // This project's own pages contain an example of each component.
        await withExport({}, hasNone, { sourceDir: "docs" });
    });

    it("exclude the theme's own classes, and text that is not a class name", async () => {
        const page = '<div className="table p-2 bg-[url(x)]}*{color:red}">x</div>\n';
        await withExport({ "index.mdx": page }, async (site) => {
            const css = await site.read(styles);
            assert.match(css, /\.p-2\)/);
            assert.doesNotMatch(css, /\.table|color:red/);
        });
    });

    it("are in the style sheet of every export, regardless of which pages come from the cache", async () => {
        const files = Object.fromEntries([
            ["a.md", '<b class="w-6">x</b>'],
            ...Array.from({ length: 40 }, (_, n) => [`b${n}.md`, `# B${n}`]),
        ]) as Record<string, string>;
        await withRepeatedExports(files, async ({ sourceDir, again }) => {
            await again();
            await writeFile(join(sourceDir, "b39.md"), '# B\n\n<b class="h-8">x</b>');
            const { kept } = await again();
            assert.ok(kept.reusedCount > 0);
        });
    });
});
