import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exportSite } from "../../exporter/src/write/export-site.js";
import { type ExportSiteResult } from "../../exporter/src/write/write-site.js";
import { withFolder } from "../exporter/support/site-fixture.js";
import { documents, links, root } from "./support/documents.js";

describe("The links in the documentation", () => {
    it("point to existing pages, images and headings in the exported guide", async () => {
        await withFolder(async (folder) => {
            // Exports a copy of the guide, so that no other files of the checkout are exported.
            await cp(join(root, "docs"), join(folder, "docs"), { recursive: true });
            const outDir = join(folder, "out");
            const { warnings }: ExportSiteResult = await exportSite({
                sourceDir: join(folder, "docs"),
                outDir,
                domain: "docs.example.com",
            });
            assert.deepEqual(warnings, []);
            assert.deepEqual(await missingAnchors(outDir), []);
        });
    });

    for (const document of documents.filter((each) => !each.startsWith("docs/"))) {
        it(`point to existing files in ${document}`, () => {
            for (const { url, place } of links(document).filter(({ url }) => !/^[a-z]+:|^#/.test(url))) {
                const file = join(root, dirname(document), url.replace(/[?#].*/, ""));
                assert.ok(existsSync(file), `${place}: ${url} leads nowhere`);
            }
        });
    }
});

/** Lists the links to an anchor that the page does not contain. */
async function missingAnchors(site: string): Promise<string[]> {
    const pages = new Map<string, string>();
    for (const file of await readdir(site, { recursive: true })) {
        if (file.endsWith(".html")) {
            pages.set(file, await readFile(join(site, file), "utf8"));
        }
    }
    return [...pages].flatMap(([file, html]) =>
        [...html.matchAll(/ href="([^":]*)#([^"]+)"/g)]
            .filter(([, path = "", anchor]) => {
                const target = path === "" ? file : join(dirname(file), path);
                return !pages.get(target)?.includes(` id="${anchor}"`);
            })
            .map(([, path, anchor]) => `${file}: ${path}#${anchor}`),
    );
}
