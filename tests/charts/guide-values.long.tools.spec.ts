import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { type CodeBlock, codeBlocks, documents } from "../docs/support/documents.js";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, helm, serviceChartFolder } from "./support/render-chart.js";

const charts = [chartFolder, sitesChart, serviceChartFolder];

type Values = Readonly<Record<string, unknown>>;

/** Pulumi programs in YAML also have `resources`. */
function isProgram({ resources }: Values): boolean {
    return Object.values(resources ?? {}).some((resource) => typeof resource === "object" && "type" in resource);
}

/** Returns the charts that have all values of a block. None if the block contains something else. */
async function chartsOf({ language, text }: CodeBlock): Promise<string[]> {
    // A page's front matter is followed by its text.
    const values: unknown = language === "yaml" ? parseAllDocuments(text)[0]?.toJS() : undefined;
    if (typeof values !== "object" || values === null || Array.isArray(values) || isProgram(values as Values)) {
        return [];
    }
    const fitting = charts.map(async (chart) => {
        const known = parse(await readFile(join(chart, "values.yaml"), "utf8")) as Values;
        return Object.keys(values).every((key) => key in known) ? [chart] : [];
    });
    return (await Promise.all(fitting)).flat();
}

describe("the values of the charts on the guide's pages", function () {
    this.timeout(120_000);
    const pages = [...documents, ...charts.map((chart) => `charts/${basename(chart)}/README.md`)];
    const blocks = [...new Set(pages)].flatMap(codeBlocks);

    it("are accepted by a chart that has them", async () => {
        let count = 0;
        for (const block of blocks) {
            const fitting = await chartsOf(block);
            if (fitting.length > 0) {
                count++;
                const attempts = fitting.map(async (chart) => {
                    const minimal = ["--values", join(chart, "ci/minimal-values.yaml")];
                    return helm(["template", "docs", ...minimal], parse(block.text) as object, chart);
                });
                await Promise.any(attempts).catch(({ errors }: AggregateError) => {
                    const reasons = errors.map(({ stderr }: { stderr: string }) => stderr);
                    assert.fail(`${block.place}: ${reasons.join("\n")}`);
                });
            }
        }
        assert.ok(count >= 23, `${count} blocks`);
    });
});
