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

/** The columns of the table. */
export interface Setup {
    honoursKeys: boolean;
    hasTwoResources: boolean;
}

/** Reads the outcome that the guide names in a cell of its table. */
export async function readGuide(death: Death, loss: Loss, { honoursKeys, hasTwoResources }: Setup): Promise<string[]> {
    const text = await readFile(guide, "utf8");
    const row = text.split("\n").find((line) => line.startsWith(`| ${death} | ${loss} |`));
    const cells = row?.split("|").map((cell) => cell.trim()) ?? [];
    const column = 3 + (honoursKeys ? 0 : 2) + (hasTwoResources ? 1 : 0);
    const ends = cells[column]?.split(", ") ?? [];
    return nextRuns.map((_, index) => ends[index] ?? ends[0] ?? "no such cell");
}
