/**
 * Measures the time that a site adds to `pulumi preview`, and the time that the policy pack adds. Alternates runs of a
 * program with a site and of the same program with a trivial dynamic resource instead. See bench/README.md for the
 * model and the figures.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { median } from "../median.js";
import { BenchStack, ourPack, type Usage } from "./bench-stack.js";
import { type Pair, pairs } from "./programs.js";

const { values } = parseArgs({
    options: {
        rounds: { type: "string", default: "7" },
        sites: { type: "string", default: "1,100" },
        /** Selects the programs to compare, by a part of their names. */
        only: { type: "string", default: "" },
    },
});
const rounds = Number(values.rounds);
const maxRatio = 1.05;
const maxPackSeconds = 0.5;

/** The costs of a preview in each round, for each kind of program and pack. */
interface Series {
    ours: Usage[];
    trivial: Usage[];
    checked: Usage[];
    /** The costs of the same preview with a pack without policies. */
    emptyChecked: Usage[];
}

if (process.platform !== "linux") {
    throw new Error("CPU time comes from /proc: run this on Linux.");
}
console.log(`Node.js ${process.version}, ${cpus().length} cores, ${rounds} rounds, ${load()}`);
const rows: string[] = [];
let holds = true;
for (const sites of values.sites.split(",").map(Number)) {
    for (const pair of pairs.filter(({ what }) => what.includes(values.only))) {
        rows.push(...describe(pair.what, sites, await compare(pair, sites)));
        console.log(`${sites} × ${pair.what}: done, ${load()}`);
    }
}
console.log("\n| what | wall | ratio | CPU | ratio | limit | |\n| --- | --- | --- | --- | --- | --- | --- |");
console.log(rows.join("\n"));
process.exitCode = holds ? 0 : 1;

/** The previews of a round follow each other directly, so that the machine is about equally busy for all of them. */
async function compare(pair: Pair, sites: number): Promise<Series> {
    const ours = await BenchStack.create(pair.ours, sites);
    const trivial = await BenchStack.create(pair.trivial, sites);
    const series: Series = { ours: [], trivial: [], checked: [], emptyChecked: [] };
    const emptyPack = await ours.addEmptyPack();
    const previews = [
        async () => series.trivial.push(await trivial.preview()),
        async () => series.ours.push(await ours.preview()),
        ...(pair.isChecked
            ? [
                  async () => series.checked.push(await ours.preview(ourPack)),
                  async () => series.emptyChecked.push(await ours.preview(emptyPack)),
              ]
            : []),
    ];
    try {
        // The very first preview fills the file system cache and is not counted.
        await trivial.preview();
        for (let round = 0; round < rounds; round++) {
            for (const preview of round % 2 === 0 ? previews : previews.toReversed()) {
                await preview();
            }
        }
        return series;
    } finally {
        await ours.remove();
        await trivial.remove();
    }
}

function describe(what: string, sites: number, { ours, trivial, checked, emptyChecked }: Series): string[] {
    const name = `${sites} × ${what}`;
    const ratio = (figure: keyof Usage) =>
        median(ours.map((usage, round) => usage[figure] / (trivial[round]?.[figure] ?? NaN)));
    const added = (usages: readonly Usage[], figure: keyof Usage) =>
        median(usages.map((usage, round) => usage[figure] - (ours[round]?.[figure] ?? NaN)));
    const addition = (usages: readonly Usage[], figure: keyof Usage) => [
        seconds(usages, figure),
        signed(added(usages, figure)),
    ];
    return [
        row([`${name}: trivial`, seconds(trivial, "wall"), "1", seconds(trivial, "cpu"), "1", "", ""]),
        row([
            ...[name, seconds(ours, "wall"), ratio("wall").toFixed(3)],
            ...[seconds(ours, "cpu"), ratio("cpu").toFixed(3)],
            ...[`${maxRatio}`, verdict(ratio("wall") <= maxRatio && ratio("cpu") <= maxRatio)],
        ]),
        ...(checked.length === 0
            ? []
            : [
                  row([
                      ...[`${name}, with the pack`, ...addition(checked, "wall"), ...addition(checked, "cpu")],
                      ...[`+ ${maxPackSeconds} s`, verdict(added(checked, "wall") <= maxPackSeconds)],
                  ]),
                  row([
                      `${name}, with an empty pack of @pulumi/policy`,
                      ...[...addition(emptyChecked, "wall"), ...addition(emptyChecked, "cpu"), "", ""],
                  ]),
              ]),
    ];
}

function verdict(isHeld: boolean): string {
    holds &&= isHeld;
    return isHeld ? "holds" : "**broken**";
}

function seconds(usages: readonly Usage[], figure: keyof Usage): string {
    return `${median(usages.map((usage) => usage[figure])).toFixed(2)} s`;
}

function signed(value: number): string {
    return `${value < 0 ? "-" : "+"} ${Math.abs(value).toFixed(2)} s`;
}

function row(cells: readonly string[]): string {
    return `| ${cells.join(" | ")} |`;
}

/** Shows how busy the machine was. */
function load(): string {
    return `load average ${loadavg()[0]?.toFixed(1)}`;
}
