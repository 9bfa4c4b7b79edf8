import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse, stringify } from "yaml";
import { copyChart, finishChart } from "../../dev/release/artifacts/chart-files.js";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, helm, objectsIn, serviceChartFolder } from "./support/render-chart.js";

describe("a parent chart with released charts whose versions of the library differ", function () {
    this.timeout(120_000);
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "parent-"));
    });
    after(() => rm(folder, { recursive: true }));

    it("renders each chart with its own version", async () => {
        const values: Record<string, object> = {};
        for (const chart of [chartFolder, sitesChart, serviceChartFolder]) {
            const [name, copy] = [basename(chart), join(folder, "charts", basename(chart))];
            copyChart(chart, copy);
            finishChart(copy, name, "acme", "1.0.0");
            const file = join(copy, "charts/static-export-common/templates/_names.tpl");
            const text = await readFile(file, "utf8");
            await writeFile(file, text.replace("app.kubernetes.io/managed-by:", `library: ${name}\n$&`));
            values[name] = parse(await readFile(join(chart, "ci/minimal-values.yaml"), "utf8")) as object;
        }
        await writeFile(join(folder, "Chart.yaml"), stringify({ apiVersion: "v2", name: "parent", version: "1.0.0" }));
        const objects = objectsIn(await helm(["template", "all"], values, folder));
        const rendered = objects.map(({ metadata: { labels } }) => [
            labels["library"],
            labels["app.kubernetes.io/name"],
        ]);
        const own = rendered.filter(([library]) => library !== undefined);
        assert.deepEqual([...new Set(own.map(([library]) => library))].sort(), Object.keys(values).sort());
        assert.deepEqual(
            own.filter(([library, name]) => library !== name),
            [],
        );
    });
});
