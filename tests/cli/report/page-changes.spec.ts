import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contextOf } from "../../../cli/src/comment/report-options.js";
import { type CommentStore } from "../../../cli/src/comment/upsert-comment.js";
import { writeComment } from "../../../cli/src/comment/write-comment.js";
import { readComparison } from "../../../cli/src/preview/comparison.js";
import { type Comparison } from "../../../exporter/src/compare/comparison.js";
import { renderJson, summaryLine } from "../../../cli/src/report/write-report.js";
import { renderMarkdown } from "../../../cli/src/report/markdown.js";
import { withFolder } from "../../exporter/support/site-fixture.js";
import { readFixture, reportOf } from "../preview/support/golden.js";

const nothing: Comparison = {
    ...{ added: [], changed: [], removed: [], deadLinks: [] },
    ...{ becomePrivate: [], becomePublic: [], missingRedirects: [] },
};
const pages = (...names: string[]) => names.map((page) => ({ page, title: "" }));

/** Returns the report of a recorded preview, with the comparison from a file. */
async function reportWith(name: string, comparison: object) {
    const { report, clean } = await reportOf(await readFixture(name));
    return withFolder(async (folder) => {
        const compare = join(folder, "pages.json");
        await writeFile(compare, JSON.stringify(comparison));
        const { pages } = contextOf({ compare, deletions: "advisory", stepSummary: false });
        return { report: { ...report, ...(pages && { pages }) }, clean };
    });
}

describe("The preview report with a comparison of exports", () => {
    it("first lists the pages that become public or private, and then every other change", async () => {
        const { report, clean } = await reportWith("version", {
            ...nothing,
            becomePublic: pages("/plans"),
            becomePrivate: pages("/prices", "/salaries"),
            removed: pages("/gone", "/moved"),
            missingRedirects: pages("/gone"),
            deadLinks: [{ page: "/start", href: "/gone" }],
            added: pages("/new"),
            changed: pages("/prices"),
        });
        const markdown = renderMarkdown(report, clean);
        assert.match(markdown, /^### ⚠️ 1 page becomes public, 2 pages become private\. 1 export runs/);
        const [, table = ""] = /#### Pages\n\n([^]*?)\n\n#### Exports/.exec(markdown) ?? [];
        assert.deepEqual(table.split("\n").slice(2), [
            "| `/plans` | **becomes public**: only certain readers could read it |",
            "| `/prices` | **becomes private**: everybody could read it |",
            "| `/salaries` | **becomes private**: everybody could read it |",
            "| `/gone` | removed without a redirect: readers and search engines get 404 |",
            "| `/start` | gets a dead link to `/gone` |",
            "| `/moved` | removed; readers are redirected |",
            "| `/new` | added |",
            "| `/prices` | changed |",
        ]);
        assert.match(summaryLine({ report, clean }), /: 1 page becomes public, 2 pages become private\. 1 export runs/);
        const json = JSON.parse(renderJson(report, clean, {})) as { verdict: string; pages: Comparison };
        assert.match(json.verdict, /^1 page becomes public/);
        assert.deepEqual(json.pages.becomePrivate, pages("/prices", "/salaries"));
    });

    it("has a positive verdict if pages only become private, and mentions no pages if no page differs", async () => {
        const closed = await reportWith("version", { ...nothing, becomePrivate: pages("/prices") });
        assert.match(renderMarkdown(closed.report, closed.clean), /^### ✅ 1 page becomes private\. 1 export runs/);
        const same = await reportWith("version", nothing);
        assert.match(renderMarkdown(same.report, same.clean), /^### ✅ 1 export runs(?![^]*Pages)/);
    });

    it("becomes a separate comment if only pages differ", async () => {
        const store: CommentStore = {
            // eslint-disable-next-line @typescript-eslint/require-await
            listOwn: async function* () {
                yield* [];
            },
            create: (body) => {
                written.push(body);
                return Promise.resolve();
            },
            update: () => Promise.resolve(false),
            remove: () => Promise.resolve(),
        };
        const written: string[] = [];
        await writeComment(store, await reportWith("nothing", nothing), {});
        assert.deepEqual(written, []);
        await writeComment(store, await reportWith("nothing", { ...nothing, becomePublic: pages("/plans") }), {});
        assert.match(written.join(), /⚠️ \*\*1 page becomes public\. Nothing changes.*\n\n#### Pages/);
    });

    it("shows an address that contains Markdown as harmless text", async () => {
        const forged = { page: "/a` |\n### ✅ Nothing changes\u001b[2J", title: "" };
        const { report, clean } = await reportWith("version", { ...nothing, added: [forged] });
        assert.match(renderMarkdown(report, clean), /^\| `\/aˋ ¦ ### ✅ Nothing changes` \| added \|$/m);
    });

    it("refuses a file that is not a comparison, and names the command that creates a comparison", async () => {
        await withFolder(async (folder) => {
            const file = join(folder, "pages.json");
            const advice =
                /^UsageError: --compare .*pages\.json must be a file of `static-export compare OLD NEW --json`: /;
            assert.throws(() => readComparison(file), advice);
            for (const [text, why] of [
                ["3 added", /Unexpected/],
                ["[]", /it has no list "added"/],
                [JSON.stringify({ ...nothing, deadLinks: [{ page: "/a" }] }), /it has no list "deadLinks"/],
            ] as const) {
                await writeFile(file, text);
                assert.throws(() => readComparison(file), advice);
                assert.throws(() => readComparison(file), why);
            }
        });
    });
});
