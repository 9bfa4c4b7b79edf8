/**
 * Compares a rollout with `helm upgrade`, and a mirror with the AWS CLI and with single parts of the mirror's work. See
 * bench/README.md for the model and the figures.
 */
import { parseArgs } from "node:util";
import { median } from "../median.js";
import { type Figure } from "./figure.js";
import { measureMirror } from "./mirror-throughput.js";
import { measureRollouts } from "./rollout-time.js";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { mebibytes: { type: "string", default: "1024" }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(values.rounds);
const parts: Record<string, () => Promise<Figure[]>> = {
    mirror: () => measureMirror(Number(values.mebibytes), rounds, false),
    "mirror-https": () => measureMirror(Number(values.mebibytes), rounds, true),
    rollout: () => measureRollouts(rounds),
};

for (const part of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const measure = parts[part];
    if (measure === undefined) {
        throw new Error(`There is no part ${part}; the parts are ${Object.keys(parts).join(", ")}.`);
    }
    const figures = await measure();
    console.log(`\n| ${part} | median | all rounds | ratio |\n| --- | --- | --- | --- |`);
    for (const { what, seconds, ratio } of figures) {
        console.log(
            `| ${what} | ${median(seconds).toFixed(2)} s | ${seconds.map((each) => each.toFixed(1)).join(", ")} | ${ratio} |`,
        );
    }
}
