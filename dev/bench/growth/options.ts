import { parseArgs } from "node:util";
import { type Shape, shapes } from "../site/corpus.js";

export interface Options {
    /** The sizes in ascending order; the first is the baseline. */
    readonly sizes: readonly number[];
    readonly shapes: readonly Shape[];
    readonly maxGrowth: number;
}

export const help = `Whether the cost of a page depends on the number of pages: bytes, CPU time and memory. Linux.

    npm run bench growth -- [options]

    --sizes <numbers>   numbers of pages; the first is the baseline (default 500,2000,20000)
    --large             200,000 pages as well, which take an hour
    --shapes <names>    ${shapes.join(",")} (default), or some of them
    --max <ratio>       fails when a page costs more than this times a page of the smallest site (default 1.15);
                        fails also above 1024 MB, and when 2,000 or more unchanged pages, one changed page of 20,000,
                        or one of 2,000 in a process that has exported the site before, take more than a tenth of a
                        full export
    --help              this text
`;

/** @returns undefined for --help */
export function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            sizes: { type: "string", default: "500,2000,20000" },
            large: { type: "boolean", default: false },
            shapes: { type: "string", default: shapes.join(",") },
            max: { type: "string", default: "1.15" },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        return undefined;
    }
    const sizes = values.sizes.split(",").map(Number);
    if (sizes.some((size) => !Number.isInteger(size) || size < 2)) {
        throw new Error(`--sizes must be whole numbers from 2 on, separated by commas, got ${values.sizes}.`);
    }
    const maxGrowth = Number(values.max);
    if (!(maxGrowth > 0)) {
        throw new Error(`--max must be a number above 0, got ${values.max}.`);
    }
    return {
        sizes: [...sizes, ...(values.large ? [200_000] : [])].sort((one, other) => one - other),
        shapes: values.shapes.split(",").map(shapeNamed),
        maxGrowth,
    };
}

function shapeNamed(text: string): Shape {
    const shape = shapes.find((each) => each === text);
    if (shape === undefined) {
        throw new Error(`--shapes knows ${shapes.join(", ")}, got ${text}.`);
    }
    return shape;
}
