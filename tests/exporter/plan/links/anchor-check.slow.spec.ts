import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AnchorCheck, anchorsOf } from "../../../../exporter/src/plan/links/anchor-check.js";

/** The number of pages: more than the exporter packs together. */
const pages = 200;

const fileOf = (route: string) => `${route}.md`;

describe("The check of links to anchors", () => {
    it("finds an anchor on any later page, and reports missing anchors in the order of the linking pages", () => {
        const check = new AnchorCheck();
        for (let page = 0; page < pages; page += 1) {
            const last = `page-${pages - 1}.html`;
            const links = [
                { href: "last#there", resolved: `${last}#there`, line: 1 },
                { href: `last#gone-${page}`, resolved: `${last}#gone-${page}`, line: 2 },
            ];
            const html = page === pages - 1 ? '<p id="there"></p>' : "";
            check.add(anchorsOf({ route: `page-${page}`, file: `page-${page}.md` }, html, links));
        }
        const expected = Array.from({ length: pages }, (_, page) => [
            `page-${page}.md`,
            2,
            `the link last#gone-${page} leads to page-199.md, which has no heading or element with the id #gone-${page}`,
        ]);
        const warnings = check.warnings(fileOf).map(({ file, line, reason }) => [file, line, reason]);
        assert.deepEqual(warnings, expected);
    });

    it("does not keep the text of pages in memory", () => {
        setFlagsFromString("--expose-gc");
        const collect = runInNewContext("gc") as () => void;
        const check = new AnchorCheck();
        const bytesOfText = 500_000;
        collect();
        const before = process.memoryUsage().heapUsed;
        for (let page = 0; page < pages; page += 1) {
            const source = Buffer.alloc(bytesOfText, `text of page ${page}, `).toString("latin1");
            const href = source.slice(100, 140);
            const links = [{ href, resolved: `other.html#${href}` }];
            check.add(anchorsOf({ route: `page-${page}`, file: `page-${page}.md` }, "", links));
        }
        collect();
        const kept = process.memoryUsage().heapUsed - before;
        assert.ok(kept < (pages / 2) * bytesOfText, `${kept} bytes were kept`);
        assert.equal(check.warnings(fileOf).length, pages);
    });
});
