import assert from "node:assert/strict";
import { renderMarkdown } from "../../../cli/src/report/markdown.js";
import { eventsOf, linesOf, logAnd } from "./support/events.js";
import { commit, reportOf } from "./support/golden.js";

/** Returns the recorded change of one version, repeated for many resources. */
async function manyExports(count: number): Promise<string> {
    const events = await eventsOf("version");
    const isOfBundle = (event: object): boolean => JSON.stringify(event).includes("StaticExportBundle::docs");
    const copies = Array.from({ length: count }, (_, index) => {
        const name = `docs-${String(index + 1).padStart(3, "0")}`;
        return events
            .filter(isOfBundle)
            .map((event) =>
                JSON.stringify(event)
                    .replaceAll("Bundle::docs", `Bundle::${name}`)
                    .replaceAll("docs.example.com", `${name}.example.com`),
            )
            .map((text) => JSON.parse(text) as object);
    });
    return linesOf([
        ...events.filter((event) => !isOfBundle(event) && !("summaryEvent" in event)),
        ...copies.flat(),
        ...events.filter((event) => "summaryEvent" in event),
    ]);
}

describe("The report of 300 exports", () => {
    it("fits into a GitHub comment, drops only whole rows, and states how many were dropped", async () => {
        const { report, clean } = await reportOf(await manyExports(300));
        const markdown = renderMarkdown(report, clean, { commit, limit: 10_000 });
        assert.ok(markdown.length <= 10_000, String(markdown.length));
        assert.match(markdown, /^### ✅ 300 exports run, 1 release/);
        const rows = markdown.match(/^\| `docs-\d+` \|.*\|$/gm) ?? [];
        const [, leftOut = ""] = /… and (\d+) more, left out to keep this short\./.exec(markdown) ?? [];
        assert.equal(rows.length + Number(leftOut), 300);
        assert.match(markdown, /^#### Releases$/m);
        assert.ok(markdown.length > 9000, String(markdown.length));
    });

    it("drops no rows if all fit", async () => {
        const { report, clean } = await reportOf(await manyExports(300));
        const markdown = renderMarkdown(report, clean, { commit });
        assert.ok(markdown.length <= 60_000, String(markdown.length));
        assert.equal(markdown.match(/^\| `docs-\d+` \|.*\|$/gm)?.length, 300);
        assert.doesNotMatch(markdown, /left out/);
    });

    it("counts bytes, because names may have characters of several bytes", async () => {
        const log = (await manyExports(100)).replaceAll(".example.com", ".文書の例");
        const { report, clean } = await reportOf(log);
        const markdown = renderMarkdown(report, clean, { commit, limit: 5000 });
        const bytes = Buffer.byteLength(markdown);
        assert.ok(bytes <= 5000 && bytes > 4000, String(bytes));
    });

    it("reserves space for later sections if an error is longer than the limit", async () => {
        const diagnosticEvent = { severity: "error", message: "long ".repeat(4000) };
        const { report, clean } = await reportOf(await logAnd("version", { diagnosticEvent }));
        const markdown = renderMarkdown(report, clean, { limit: 3000 });
        assert.ok(markdown.length <= 3000, String(markdown.length));
        assert.match(markdown, /#### Exports\n\n\| Export/);
        assert.match(markdown, /… and 1 more, left out/);
    });
});
