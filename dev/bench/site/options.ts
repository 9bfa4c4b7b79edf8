import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

export interface Options {
    readonly pages: readonly number[];
    readonly runs: number;
    readonly cores: readonly number[];
    readonly alone: boolean;
}

export const help = `Measures how long static-export and Hugo take for the same site. Runs only on Linux.

    npm run bench site -- [options]

    --pages <numbers>  how many pages the site has (default 1000); with several numbers, one table for each
    --cores <numbers>  with how many cores this project builds, such as 1,2 (default: all cores)
    --runs <number>    how many rounds, each with one build by every builder (default 3)
    --alone            without Hugo
    --help             this text
`;

/** @returns undefined for --help */
export function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            pages: { type: "string", default: "1000" },
            runs: { type: "string", default: "3" },
            cores: { type: "string", default: String(availableParallelism()) },
            alone: { type: "boolean", default: false },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        return undefined;
    }
    return {
        pages: values.pages.split(",").map((pages) => positive("--pages", pages)),
        runs: positive("--runs", values.runs),
        cores: values.cores.split(",").map((cores) => positive("--cores", cores)),
        alone: values.alone,
    };
}

function positive(option: string, text: string): number {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1) {
        return value;
    }
    throw new Error(`${option} must be a whole number from 1 on, got ${text}.`);
}
