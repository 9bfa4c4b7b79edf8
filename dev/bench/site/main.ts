/**
 * Compares the time for building a whole site with Hugo's, and measures a second export. See bench/README.md for the
 * model and the figures.
 */
import { cpus, loadavg } from "node:os";
import { runOnLinux } from "../run-on-linux.js";
import { hugoBuilder, ourBuilder } from "./builders.js";
import { Corpus } from "./corpus.js";
import { help, type Options, parseOptions } from "./options.js";
import { Rounds } from "./rounds.js";
import { formatTable } from "./table.js";

await runOnLinux(help, parseOptions, async (options) => {
    for (const pages of options.pages) {
        await compare(new Corpus(pages), options);
    }
});

async function compare(corpus: Corpus, { alone, runs, cores }: Options): Promise<void> {
    const [ours, ...others] = cores.map((count) => new Rounds(ourBuilder(count))) as [Rounds, ...Rounds[]];
    const all = [ours, ...others, ...(alone ? [] : [new Rounds(await hugoBuilder())])];
    console.log(`${corpus.pageCount} pages, Node.js ${process.version}, ${cpus().length} cores, ${load()}`);
    for (let run = 1; run <= runs; run++) {
        for (const rounds of all) {
            await rounds.run(corpus);
        }
        console.log(`round ${run} of ${runs} is done, ${load()}`);
    }
    const rows = [...all.map((rounds) => rounds.coldRow(ours)), ...all.flatMap((rounds) => rounds.laterRows())];
    console.log(`\n${formatTable(rows)}\n`);
}

/** Shows how busy the machine was. */
function load(): string {
    return `load average ${loadavg()[0]?.toFixed(1)}`;
}
