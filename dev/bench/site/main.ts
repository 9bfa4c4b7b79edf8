/**
 * Compares the time for building a whole site with the times of other builders, and measures a second export. See
 * bench/README.md for the model and the figures.
 */
import { cpus, loadavg } from "node:os";
import { runOnLinux } from "../run-on-linux.js";
import { Corpus } from "./corpus.js";
import { help, type Options, parseOptions } from "./options.js";
import { ourBuilder } from "./builders/our-builder.js";
import { peerBuilder } from "./peers.js";
import { Rounds } from "./rounds.js";
import { formatCurve, formatParts, formatTable } from "./table.js";

await runOnLinux(help, parseOptions, compare);

async function compare(options: Options): Promise<void> {
    for (const pages of options.pages) {
        await compareWith(new Corpus(pages), options);
    }
}

async function compareWith(corpus: Corpus, { peers, runs, cores }: Options): Promise<void> {
    const [ours, ...others] = cores.map((count) => new Rounds(ourBuilder(count))) as [Rounds, ...Rounds[]];
    const all = [ours, ...others];
    for (const name of peers) {
        all.push(new Rounds(await peerBuilder(name)));
    }
    console.log(`${corpus.pageCount} pages, Node.js ${process.version}, ${cpus().length} cores, ${load()}`);
    for (let run = 1; run <= runs; run++) {
        for (const rounds of all) {
            await rounds.run(corpus);
        }
        console.log(`round ${run} of ${runs} is done, ${load()}`);
    }
    const rows = [...all.map((rounds) => rounds.coldRow(ours)), ...all.flatMap((rounds) => rounds.laterRows())];
    console.log(`\n${formatTable(rows)}\n`);
    const partsWith = (count: number) => all[cores.indexOf(count)]?.parts;
    const [one, two] = [partsWith(1), partsWith(2)];
    if (one !== undefined && two !== undefined) {
        console.log(`${formatParts([one, two])}\n\n${formatCurve(one, two)}\n`);
    }
}

/** Shows how busy the machine was. */
function load(): string {
    return `load average ${loadavg()[0]?.toFixed(1)}`;
}
