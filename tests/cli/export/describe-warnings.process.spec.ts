import assert from "node:assert/strict";
import { describeWarnings } from "../../../cli/src/export/describe-warnings.js";
import { toExportWarnings } from "../../../exporter/src/process/export-warnings.js";
import { WarningLog, warningKinds } from "../../../exporter/src/problems/warning-log.js";

function summaryOf(links: number, icons: number) {
    const log = new WarningLog();
    for (let index = 0; index < links; index += 1) {
        log.add({ kind: "link", file: `page-${index}.md`, line: 3, reason: `the link /gone-${index} leads nowhere` });
    }
    for (let index = 0; index < icons; index += 1) {
        log.add({ kind: "icon", file: `icons-${index}.md`, line: 1, reason: 'there is no icon "x"' });
    }
    return toExportWarnings(log.kept, log.counts);
}

describe("The warnings of an export", () => {
    it("are grouped by kind, each with its count, advice and first locations", () => {
        const lines = describeWarnings(summaryOf(12_000, 40));
        assert.equal(lines.length, 9);
        assert.match(lines[0] ?? "", /^link: 12000 warnings: correct the addresses/);
        assert.match(lines[1] ?? "", /^warning: link: page-0\.md:3: /);
        assert.match(lines[6] ?? "", /^icon: 40 warnings: use the name of an icon/);
        assert.match(
            lines[7] ?? "",
            /^warning: icon: icons-0\.md:1: .* \(and in 39 more places: icons-1\.md:1, .*…\)$/,
        );
        assert.match(lines[8] ?? "", /build FOLDER --warnings FILE writes all/);
    });

    it("are all listed if there are only a few", () => {
        const lines = describeWarnings(summaryOf(8, 1));
        assert.equal(lines.filter((line) => line.startsWith("warning: ")).length, 9);
        assert.doesNotMatch(lines.join("\n"), /--warnings/);
    });

    it("are counted from the list if the service reports no counts by kind", () => {
        const { count, first } = summaryOf(3, 0);
        assert.match(describeWarnings({ count, first })[0] ?? "", /^link: 3 warnings/);
    });

    it("include advice for each kind", () => {
        for (const kind of warningKinds) {
            const [line = ""] = describeWarnings({ count: 1, first: [{ kind, file: "a.md", reason: "wrong" }] });
            assert.match(line, /^\w+: 1 warning: \w/, kind);
        }
    });

    it("cannot control a terminal with the texts of the site that they quote", () => {
        const log = new WarningLog();
        const reason = 'navigation names the page "a\u001b[2J\u0007\r\nwarning: b"';
        log.add({ kind: "navigation", file: "docs.json", line: 1, reason });
        const lines = describeWarnings(toExportWarnings(log.kept, log.counts));
        assert.equal(lines[1], 'warning: navigation: docs.json:1: navigation names the page "a?[2J? warning: b"');
    });

    it("produce no lines if the export has none", () => {
        assert.deepEqual(describeWarnings(summaryOf(0, 0)), []);
    });
});
