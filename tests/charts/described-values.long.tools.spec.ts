import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureDebianPackages } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";
import { chartFolder, exported, helm, serviceChartFolder } from "./support/render-chart.js";
import { sitesChart } from "./sites/support/edge-fixture.js";

describe("documentation-site: a checkout without the built files", function () {
    this.timeout(120_000);

    it("does not pass helm lint, which names the command that builds them", async () => {
        const folder = await mkdtemp(join(tmpdir(), "chart-"));
        try {
            await cp(chartFolder, folder, { recursive: true, dereference: true });
            await rm(join(folder, "files/fetch-bundle.cjs"));
            await assert.rejects(helm(["lint"], exported, folder), ({ stdout }: { stdout: string }) =>
                stdout.includes("run `npm run build` first"),
            );
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});

for (const [chart, folder] of Object.entries({
    "documentation-site": chartFolder,
    "documentation-sites": sitesChart,
    "static-export-service": serviceChartFolder,
})) {
    describe(`${chart}: values`, function () {
        this.timeout(120_000);

        it("pass helm lint with every file in ci/", async () => {
            const names = await readdir(join(folder, "ci"));
            assert.deepEqual(names.sort(), ["everything-values.yaml", "minimal-values.yaml"]);
            for (const name of names) {
                const values = parse(await readFile(join(folder, "ci", name), "utf8")) as object;
                assert.match(await helm(["lint", "--strict"], values, folder), /0 chart\(s\) failed/, name);
            }
        });

        it("are in files that pass chart-testing's yamllint rules", async () => {
            await ensureDebianPackages(["yamllint"]);
            const files = ["Chart.yaml", "values.yaml", "ci/everything-values.yaml", "ci/minimal-values.yaml"];
            const paths = files.map((file) => join(folder, file));
            // If the check fails, the promise rejects with the output.
            await promisify(execFile)("yamllint", ["--strict", "--config-file", "charts/lintconf.yaml", ...paths]);
        });
    });
}
