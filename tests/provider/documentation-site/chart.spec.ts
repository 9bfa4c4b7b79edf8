import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findChartProblem } from "../../../provider/src/documentation-site/chart.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("findChartProblem", () => {
    it("accepts a folder with a chart, relative to the program", () => {
        assert.equal(findChartProblem({ chart: "./charts/documentation-site" }, root), undefined);
    });

    it("names a folder without a chart, and the absolute path where it looked", () => {
        const problem = findChartProblem({ chart: "./charts" }, root) ?? "";
        assert.match(problem, /there is no chart at \.\/charts/);
        assert.ok(problem.includes(root));
    });

    it("ignores charts in registries, and all charts if the program's folder is unknown", () => {
        assert.equal(findChartProblem({ chart: "oci://charts.example.com/site", version: "1.0.0" }, root), undefined);
        assert.equal(findChartProblem({ chart: "./missing" }), undefined);
    });
});
