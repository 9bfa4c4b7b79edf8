import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleLimits, findChartProblem } from "../../../provider/src/documentation-site/chart.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("findChartProblem", () => {
    it("accepts a folder with a chart, relative to the program", () => {
        assert.equal(findChartProblem({ chart: "./charts/documentation-site" }, root), undefined);
        assert.equal(findChartProblem({ chart: "../documentation-site" }, join(root, "charts", "own")), undefined);
        assert.equal(findChartProblem({ chart: "." }, join(root, "charts", "documentation-site")), undefined);
    });

    it("accepts a packed chart, relative to the program", () => {
        const folder = mkdtempSync(join(tmpdir(), "static-export-spec-"));
        try {
            writeFileSync(join(folder, "site.tgz"), "");
            assert.equal(findChartProblem({ chart: "./site.tgz" }, folder), undefined);
            assert.match(findChartProblem({ chart: "./other.tgz" }, folder) ?? "", /there is no chart at/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("names a folder without a chart, and the absolute path where it looked", () => {
        for (const chart of ["./charts", "../charts", "."]) {
            const problem = findChartProblem({ chart }, root) ?? "";
            assert.ok(problem.startsWith(`there is no chart at ${chart}, `), problem);
            assert.ok(problem.includes(root));
        }
    });

    it("ignores charts in registries, and all charts if the program's folder is unknown", () => {
        assert.equal(findChartProblem({ chart: "oci://charts.example.com/site", version: "1.0.0" }, root), undefined);
        assert.equal(findChartProblem({ chart: "./missing" }), undefined);
    });
});

describe("The limits of a bundle", () => {
    it("are those of the chart where the program sets none or null, and none where its value is not known yet", () => {
        const limits = { maxBytes: 2 ** 32, maxArchiveBytes: 2 ** 31, maxFiles: 1_000_000, refuseLinks: true };
        for (const values of [undefined, { fetch: null }, { fetch: { limits: null } }]) {
            assert.deepEqual(bundleLimits(values), limits);
        }
        const unknown = { siteMiB: "unknown", bundleMiB: {}, files: null };
        assert.deepEqual(bundleLimits({ fetch: { limits: unknown } }), { refuseLinks: true });
    });
});
