import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureDebianPackages } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";
import { chartFolder, helm, serviceChartFolder } from "./support/render-chart.js";
import { sitesChart } from "./sites/support/edge-fixture.js";

/** Returns the paths of values that have no comment and do not belong to a commented value. */
function undescribed(text: string): string[] {
    const lines = text.split("\n");
    const parents: { key: string; isDescribed: boolean }[] = [];
    return lines.flatMap((line, index) => {
        const [, indent = "", key] = /^( *)(\w+):/.exec(line) ?? [];
        if (key === undefined) {
            return [];
        }
        parents.length = Math.min(parents.length, indent.length / 2);
        const hasComment = /^ *# /.test(lines[index - 1] ?? "");
        const isDescribed = hasComment || (parents.at(-1)?.isDescribed ?? false);
        parents.push({ key, isDescribed });
        // A group needs no comment if each of its values has one.
        const isGroup = line.trimEnd().endsWith(":");
        return isDescribed || isGroup ? [] : [parents.map((each) => each.key).join(".")];
    });
}

for (const [chart, folder] of Object.entries({
    "documentation-site": chartFolder,
    "documentation-sites": sitesChart,
    "static-export-service": serviceChartFolder,
})) {
    describe(`${chart}: values`, function () {
        this.timeout(120_000);

        it("are all described in values.yaml", async () => {
            assert.deepEqual(undescribed(await readFile(join(folder, "values.yaml"), "utf8")), []);
        });

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
