import { readFile } from "node:fs/promises";

const guide = new URL("../../../../docs/guides/pipelines.md", import.meta.url);

export const deaths = [
    "before the start",
    "while the start is answered",
    "during the wait",
    "between the bundle and the checkpoint",
    "after the checkpoint",
] as const;
export const losses = ["disk", "disk and checkpoint"] as const;
export const nextRuns = ["the same run again", "another run", "a laptop"] as const;

export type Death = (typeof deaths)[number];
export type Loss = (typeof losses)[number];
export type NextRun = (typeof nextRuns)[number];

/** The columns of the guide's table. */
export interface Setup {
    honoursKeys: boolean;
    hasTwoResources: boolean;
}

/** The rows of the guide's table. */
const rows: Readonly<Record<Exclude<Death, "before the start">, string>> = {
    "while the start is answered": "while the start is answered",
    "during the wait": "during the wait, or before the checkpoint",
    "between the bundle and the checkpoint": "during the wait, or before the checkpoint",
    "after the checkpoint": "after the checkpoint",
};

/**
 * Reads the outcomes that the guide names, one for each next run. Without a checkpoint, the first row applies to every
 * death after the start.
 */
export async function readGuide(death: Death, loss: Loss, { honoursKeys, hasTwoResources }: Setup): Promise<string[]> {
    if (death === "before the start") {
        return nextRuns.map(() => "starts it");
    }
    const name = rows[loss === "disk" ? death : "while the start is answered"];
    const text = await readFile(guide, "utf8");
    const row = text.split("\n").find((line) => line.startsWith(`| ${name} |`));
    const cells = row?.split("|").map((cell) => cell.trim()) ?? [];
    const column = 2 + (honoursKeys ? 0 : 2) + (hasTwoResources ? 1 : 0);
    const ends = cells[column]?.split(", ") ?? [];
    return nextRuns.map((_, index) => ends[index] ?? ends[0] ?? "no such cell");
}
