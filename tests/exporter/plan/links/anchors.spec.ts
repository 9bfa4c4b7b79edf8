import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { warningsOf, withRepeatedExports } from "../../support/site-fixture.js";

const start = '# Start\n\n## Install & run\n\n<a name="old"></a>\n\n<h4 id="by-hand">By hand</h4>\n';

describe("links to anchors", () => {
    it("are reported with file and line if the page does not contain the anchor", async () => {
        const source = "# Home\n\n## Here\n\n[a](start.md#gone) [b](#nowhere)\n\n[c](/start#by-hand-2)";
        const part = "which has no heading or element with the id";
        assert.deepEqual(await warningsOf({ "index.md": source, "start.md": start }), [
            `index.md:5: the link start.md#gone leads to start.md, ${part} #gone`,
            `index.md:5: the link #nowhere leads to index.md, ${part} #nowhere`,
            `index.md:7: the link /start#by-hand-2 leads to start.md, ${part} #by-hand-2`,
        ]);
    });

    it("reach headings, even by the ids of other platforms, and elements with an id or a name", async () => {
        const links = [
            "start.md#install-&-run",
            "start.md#install--run",
            "start.md#install-%26-run",
            "start#old",
            "/start#by-hand",
            "start#start",
            "start#Install-Run",
            "start#By-hand",
            "#here",
            "#",
            "#top",
            "start#by-hand:~:text=By",
            "#:~:text=Here",
            "https://example.com/#gone",
        ];
        const source = `# Home\n\n## Here\n\n${links.map((href) => `[a](${href})`).join(" ")}\n`;
        assert.deepEqual(await warningsOf({ "index.md": source, "start.md": start }), []);
    });

    it("reach footnotes whose names are not ASCII", async () => {
        const source = "# Home\n\nA[^ü] and[^注].\n\n[^ü]: One\n\n[^注]: Two\n";
        assert.deepEqual(await warningsOf({ "index.md": source }), []);
    });

    it("are not checked if they point into pictures", async () => {
        assert.deepEqual(await warningsOf({ "index.md": "![a](a.svg#view)", "a.svg": "<svg/>" }), []);
    });

    it("are reported in every export, regardless of which pages come from the cache", async () => {
        const files = { "index.md": "[a](start.md#install-&-run)", "start.md": start };
        await withRepeatedExports(files, async ({ sourceDir, again }) => {
            assert.deepEqual((await again()).kept.warnings, []);
            await writeFile(join(sourceDir, "start.md"), "# Start\n\n## Other\n");
            const reasons = async () => (await again()).kept.warnings.map(({ reason }) => reason);
            const dead =
                "the link start.md#install-&-run leads to start.md, which has no heading or element with the id #install-&-run";
            assert.deepEqual(await reasons(), [dead]);
            assert.deepEqual(await reasons(), [dead]);
        });
    });
});
