import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { brokenBounds, chance } from "./bounds.js";
import { compare } from "./measure.js";
import { drawPlot } from "./plot.js";
import { buckets, everyLength, summarize } from "./summary.js";
import { formatTable } from "./table.js";
import { families } from "./traces.js";

const { values } = parseArgs({
    options: { jobs: { type: "string", default: "6000" }, seed: { type: "string", default: "1" } },
});

const results = new Map(families.map((family) => [family, compare(family, Number(values.jobs), Number(values.seed))]));

const rows = [...results].flatMap(([family, comparisons]) => [
    { summary: summarize(family, everyLength, comparisons), tolerance: 0 },
    ...buckets
        .map((bucket) => summarize(family, bucket, comparisons))
        .map((summary) => ({ summary, tolerance: chance(summary.jobs) })),
]);
console.log(formatTable(rows));

const plot = new URL("./polling.svg", import.meta.url);
writeFileSync(plot, drawPlot(results));
console.log(`\nPlot: bench/polling/polling.svg`);

const broken = rows.flatMap(({ summary, tolerance }) => brokenBounds(summary, tolerance));
for (const sentence of broken) {
    console.error(`BROKEN ${sentence}`);
}
process.exitCode = broken.length === 0 ? 0 : 1;
