import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findDeadLinks } from "../../../dev/bench/foreign/dead-links.js";
import { withFolder } from "../../sdk/support/files.js";

/** `npm run bench foreign` runs this check on the sites that it exports. */
describe("dead links of an exported site", () => {
    async function reportOf(html: string, source: Record<string, string>) {
        let report: Awaited<ReturnType<typeof findDeadLinks>> | undefined;
        await withFolder(async (folder) => {
            const files = { "out/a.html": html, "out/b.html": '<h2 id="there">There</h2>', ...source };
            for (const [name, content] of Object.entries(files)) {
                await mkdir(dirname(join(folder, name)), { recursive: true });
                await writeFile(join(folder, name), content);
            }
            report = await findDeadLinks(join(folder, "out"), join(folder, "source"));
        });
        assert.ok(report !== undefined);
        return report;
    }

    it("exclude links to existing files and anchors, and to other hosts", async () => {
        const html =
            '<p id="x"><a href="#x">x</a> <a class="c" href="b.html#there">b</a> <a href="https://a.example/">c</a>';
        assert.deepEqual(await reportOf(html, { "source/a.md": "" }), { links: 2, deadInSource: [], lost: [] });
    });

    it("are attributed to the source if the source contains no match", async () => {
        const { deadInSource, lost } = await reportOf('<a href="gone.html">g</a> <a href="b.html#gone">b</a>', {
            "source/b.mdx": "## There",
        });
        assert.deepEqual(
            deadInSource.map(({ href }) => href),
            ["gone.html", "b.html#gone"],
        );
        assert.deepEqual(lost, []);
    });

    it("are attributed to the export if the source contains the file, or a heading with the same letters", async () => {
        const { deadInSource, lost } = await reportOf('<a href="c.html">c</a> <a href="b.html#ci-cd">b</a>', {
            "source/b.mdx": "## There\n\n## `CI/CD`",
            "source/c.md": "# C",
        });
        assert.deepEqual(deadInSource, []);
        assert.deepEqual(lost, [
            { page: "a.html", href: "c.html" },
            { page: "a.html", href: "b.html#ci-cd" },
        ]);
    });
});
