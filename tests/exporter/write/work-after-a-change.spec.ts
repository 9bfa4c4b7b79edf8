import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { pagesOfAGroup } from "@pulumi-static-export/contract/search";
import { FoundFiles } from "../../../exporter/src/read/files/found-files.js";
import { type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type RepeatedExports, withRepeatedExports } from "../support/site-fixture.js";

const pageCount = 3 * pagesOfAGroup;
const fileOf = (page: number) => `page-${String(page).padStart(3, "0")}.md`;
const site = Object.fromEntries(
    Array.from({ length: pageCount }, (_, page) => [
        fileOf(page),
        `---\ntitle: Page ${page}\n---\n\n## Part\n\nText.\n`,
    ]),
);
const [changed, inOtherGroup] = [fileOf(pagesOfAGroup + 5), fileOf(2)];
const isInGroup = (file: string) => file >= fileOf(pagesOfAGroup) && file < fileOf(2 * pagesOfAGroup);

interface Work {
    /** The files that the export read, and those that it compared with their state at its start. */
    readonly read: readonly string[];
    readonly compared: readonly string[];
    readonly pages: readonly string[];
}

/** Exports with the cache of the last export, and compares the result with an export without a cache. */
async function workOf(
    { again }: Pick<RepeatedExports, "again">,
    options: Partial<ExportSiteOptions> = {},
): Promise<Work> {
    const { readState, currentIdentityOf } = FoundFiles.prototype;
    const [read, compared, pages]: [string[], string[], string[]] = [[], [], []];
    FoundFiles.prototype.readState = function (file) {
        read.push(file);
        return readState.call(this, file);
    };
    FoundFiles.prototype.currentIdentityOf = function (file) {
        compared.push(file);
        return currentIdentityOf.call(this, file);
    };
    try {
        await again({ ...options, onPage: (file) => void (file !== undefined && pages.push(file)) });
        return { read, compared, pages };
    } finally {
        Object.assign(FoundFiles.prototype, { readState, currentIdentityOf });
    }
}

/** Exports the site once, later than the disk's clock can confuse a change with the writing of the files. */
async function withExportedSite(use: (exports: RepeatedExports) => Promise<void>): Promise<void> {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    try {
        await withRepeatedExports(site, async (exports) => {
            const { read, compared, pages } = await workOf(exports);
            assert.deepEqual([read.length, compared.length, pages.length], [pageCount, pageCount, 2 * pageCount]);
            await use(exports);
        });
    } finally {
        Date.now = now;
    }
}

describe("An export after a change to the text of one page", () => {
    it("reads the page, and examines and reports only the pages of its group", async () => {
        await withExportedSite(async (exports) => {
            await appendFile(join(exports.sourceDir, changed), "\nMore.\n");
            const { read, compared, pages } = await workOf(exports);
            assert.deepEqual(read, [changed]);
            assert.deepEqual([compared.length, compared.filter(isInGroup).length], [pagesOfAGroup, pagesOfAGroup]);
            assert.deepEqual([pages.length, pages.filter(isInGroup).length], [pagesOfAGroup + 1, pagesOfAGroup + 1]);
        });
    });

    it("leaves the change of a page that it did not read to the next export", async () => {
        await withExportedSite(async (exports) => {
            await appendFile(join(exports.sourceDir, changed), "\nMore.\n");
            const onProgress = ({ pagesDone }: { readonly pagesDone: number }) => {
                if (pagesDone === pageCount) {
                    writeFileSync(join(exports.sourceDir, inOtherGroup), "# Other\n");
                }
            };
            // The export without a cache, which begins later, contains the second change.
            await assert.rejects(workOf(exports, { onProgress }), /strictly equal/);
            assert.deepEqual((await workOf(exports)).read, [inOtherGroup]);
        });
    });
});
