import assert from "node:assert/strict";
import { withVariables } from "../../../exporter/src/plan/page-variables.js";
import { config } from "../support/one-page.js";
import { withExport } from "../support/site-fixture.js";

describe("A variable of docs.json after a backslash", () => {
    const settings = config({ variables: { ver: "1.2" } });
    const page = "Write \\{{ver}} for {{ver}}, \\\\{{ver}} and `C:\\{{ver}}`.\n";
    for (const file of ["a.md", "a.mdx"]) {
        it(`is shown by its name, except in code and after two backslashes: ${file}`, async () => {
            await withExport({ "docs.json": settings, [file]: page }, async ({ read, warnings }) => {
                const shown = "<p>Write {{ver}} for 1.2, \\1.2 and <code>C:\\1.2</code>.</p>";
                assert.ok((await read("a.html")).includes(shown));
                assert.deepEqual(warnings, []);
            });
        });
    }

    it("is found in linear time", () => {
        for (const text of ["\\".repeat(400_000), "\\{{ver}} `a` ".repeat(40_000), "{{ ver".repeat(60_000)]) {
            const startedAt = process.cpuUsage();
            withVariables(text, { ver: "1.2" }, false);
            assert.ok(process.cpuUsage(startedAt).user < 1_000_000, text.slice(0, 9));
        }
    });
});
