import { type Usage } from "../site/measured-process.js";

export interface ExportCost extends Usage {
    /** The size of the unpacked archive. */
    readonly siteBytes: number;
    readonly archiveBytes: number;
}

export interface Cost {
    readonly pages: number;
    readonly first: ExportCost;
    readonly unchanged: ExportCost;
    readonly oneChanged: ExportCost;
    /** The cost of one changed page in a process that has exported the site before. */
    readonly oneChangedInSameProcess: ExportCost;
}

/** The costs that must not depend on the number of pages. */
const bounded = {
    "bytes of the site": ({ siteBytes }) => siteBytes,
    "bytes of the archive": ({ archiveBytes }) => archiveBytes,
    "CPU time": ({ cpuSeconds }) => cpuSeconds,
    memory: ({ peakMegabytes }) => peakMegabytes,
} satisfies Record<string, (cost: ExportCost) => number>;

/** Formats one line for a site's size: each cost per page, and its ratio to the smallest site's cost. */
export function formatGrowth(shape: string, cost: Cost, smallest: Cost): string {
    const { pages, first, unchanged, oneChanged, oneChangedInSameProcess } = cost;
    const perPage = (name: keyof typeof bounded) => `(${growthOf(cost, smallest, bounded[name]).toFixed(2)})`;
    const share = (later: ExportCost) => (later.cpuSeconds / first.cpuSeconds).toFixed(2);
    return [
        `${shape} ${pages} pages:`,
        `${kilobytes(first.siteBytes / pages)} ${perPage("bytes of the site")} and`,
        `${kilobytes(first.archiveBytes / pages)} in the archive ${perPage("bytes of the archive")} a page,`,
        `${((first.cpuSeconds / pages) * 1000).toFixed(2)} ms of CPU time ${perPage("CPU time")},`,
        `${kilobytes((first.peakMegabytes * 1_048_576) / pages)} of memory ${perPage("memory")} a page;`,
        `in all ${first.wallSeconds.toFixed(1)} s, ${first.cpuSeconds.toFixed(1)} s of CPU time,`,
        `${first.peakMegabytes.toFixed(0)} MB;`,
        `of that unchanged ${share(unchanged)}, one page changed ${share(oneChanged)},`,
        `or ${share(oneChangedInSameProcess)} in the same process`,
    ].join(" ");
}

/**
 * The maximum share of a full export's CPU time. A new process runs code that V8 has not compiled yet, which
 * dominates the export of one changed page of a smaller site.
 */
const maxShare = 0.1;
const limited: Readonly<Record<string, { fromPages: number; costIn: (cost: Cost) => ExportCost }>> = {
    unchanged: { fromPages: 2000, costIn: ({ unchanged }) => unchanged },
    "one page changed": { fromPages: 20_000, costIn: ({ oneChanged }) => oneChanged },
    "one page changed, in the same process": {
        fromPages: 2000,
        costIn: ({ oneChangedInSameProcess }) => oneChangedInSameProcess,
    },
};

/** Lists the sites whose second export takes too large a share of a full export's time. */
export function laterProblems(shape: string, costs: readonly Cost[]): string[] {
    return costs.flatMap((cost) =>
        Object.entries(limited).flatMap(([what, { fromPages, costIn }]) => {
            const share = costIn(cost).cpuSeconds / cost.first.cpuSeconds;
            return cost.pages < fromPages || share <= maxShare
                ? []
                : [`${shape}, ${cost.pages} pages: ${what}, they took ${share.toFixed(2)} of a full export`];
        }),
    );
}

/** The maximum memory of an export's process, for any number of pages. */
const maxMegabytes = 1024;

/** Lists the sites whose export uses too much memory. */
export function memoryProblems(shape: string, costs: readonly Cost[]): string[] {
    return costs.flatMap(({ pages, ...exports }) => {
        const peak = Math.max(...Object.values(exports).map(({ peakMegabytes }) => peakMegabytes));
        return peak <= maxMegabytes
            ? []
            : [`${shape}, ${pages} pages: an export took ${peak.toFixed(0)} MB, at most ${maxMegabytes} are allowed`];
    });
}

/** Lists the costs per page that grow by more than `maxGrowth` from the smallest site to a larger one. */
export function growthProblems(shape: string, costs: readonly Cost[], maxGrowth: number): string[] {
    const [smallest, ...larger] = costs;
    return larger.flatMap((cost) =>
        Object.entries(bounded).flatMap(([name, costIn]) => {
            const growth = growthOf(cost, smallest as Cost, costIn);
            const sizes = `${cost.pages} pages against ${smallest?.pages}`;
            return growth <= maxGrowth ? [] : [`${shape}, ${sizes}: ${name} a page grew ${growth.toFixed(2)} times`];
        }),
    );
}

function growthOf(cost: Cost, smallest: Cost, costIn: (cost: ExportCost) => number): number {
    return costIn(cost.first) / cost.pages / (costIn(smallest.first) / smallest.pages);
}

function kilobytes(bytes: number): string {
    return `${(bytes / 1000).toFixed(1)} kB`;
}
