import assert from "node:assert/strict";
import { LlmsFull } from "../../../../exporter/src/write/agents/llms-full.js";

/** Returns the pages of each full part of `llms-full.txt` for pages of these sizes. */
async function partsOf(sizes: readonly number[]): Promise<string[][]> {
    const parts: string[][] = [];
    const full = new LlmsFull({} as never, [], "Docs", (_file, [, ...names]) => {
        parts.push([...names]);
        return Promise.resolve();
    });
    for (const [at, bytes] of sizes.entries()) {
        await full.add({ route: `/page-${at}`, title: `Page ${at}`, names: [`page-${at}`], text: () => "" }, bytes);
    }
    return parts;
}

describe("The parts of a long list of all pages", () => {
    const sizes = Array.from({ length: 8000 }, () => 4000);

    it("hold between one and two megabytes, and all pages once in their order", async () => {
        const parts = await partsOf([...sizes, 2_000_000]);
        assert.ok(parts.slice(0, -1).every(({ length }) => length >= 250 && length <= 500));
        assert.deepEqual(
            parts.flat(),
            sizes.map((_, at) => `page-${at}`),
        );
    });

    it("begin at the same pages after most changes of one page's length", async () => {
        const before = await partsOf(sizes);
        const moved: number[] = [];
        for (let page = 0; page < sizes.length; page += 400) {
            const changed = sizes.with(page, 6000);
            const firsts = new Set(before.map(([first]) => first));
            moved.push((await partsOf(changed)).filter(([first]) => !firsts.has(first)).length);
        }
        assert.ok(
            moved.every((count) => count <= 1),
            `${moved.join(" ")}`,
        );
        assert.ok(moved.filter((count) => count === 0).length >= 15, `${moved.join(" ")}`);
    });

    it("hold a page alone that is larger than a part", async () => {
        const parts = await partsOf([1_500_000, 3_000_000, 1000, 1_999_500]);
        assert.deepEqual(parts, [["page-0"], ["page-1"], ["page-2"]]);
    });
});
