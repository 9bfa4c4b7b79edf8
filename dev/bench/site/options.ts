import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { peerNames, type PeerName } from "./peers.js";

export interface Options {
    readonly pages: readonly number[];
    readonly peers: readonly PeerName[];
    readonly runs: number;
    readonly cores: readonly number[];
}

export const help = `How long a whole site takes: static-export against other builders, on the same pages. Linux.

    npm run bench site -- [options]

    --pages <numbers>  how many pages the site has (default 1000); with several numbers, one table for each
    --peers <names>    ${peerNames.join(",")} (default), some of them, or none
    --cores <numbers>  with how many cores this project builds, such as 1,2 (default: all cores);
                       with 1 and 2, also the simulated times on 1 to 8 idle cores
    --runs <number>    how many rounds, each of which builds with everybody once (default 3)
    --help             this text
`;

/** @returns undefined for --help */
export function parseOptions(args: readonly string[]): Options | undefined {
    const { values } = parseArgs({
        args: [...args],
        options: {
            pages: { type: "string", default: "1000" },
            peers: { type: "string", default: peerNames.join(",") },
            runs: { type: "string", default: "3" },
            cores: { type: "string", default: String(availableParallelism()) },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        return undefined;
    }
    return {
        pages: values.pages.split(",").map((pages) => positive("--pages", pages)),
        peers: values.peers === "none" ? [] : values.peers.split(",").map(peerName),
        runs: positive("--runs", values.runs),
        cores: values.cores.split(",").map((cores) => positive("--cores", cores)),
    };
}

function positive(option: string, text: string): number {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1) {
        return value;
    }
    throw new Error(`${option} must be a whole number from 1 on, got ${text}.`);
}

function peerName(text: string): PeerName {
    const name = peerNames.find((each) => each === text);
    if (name === undefined) {
        throw new Error(`--peers knows ${peerNames.join(", ")} and none, got ${text}.`);
    }
    return name;
}
