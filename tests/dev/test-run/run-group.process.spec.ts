import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Group } from "../../../dev/test-run/groups.js";
import { runGroup } from "../../../dev/test-run/run-group.js";

const endless = 'describe("a road", () => it("has no end", () => new Promise((resolve) => setTimeout(resolve, 3e5))));';

describe("A group of spec files that exceeds its time limit", () => {
    let folder: string;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-late-"));
        await writeFile(join(folder, "endless.spec.ts"), endless);
    });
    after(() => rm(folder, { recursive: true }));

    it("is stopped, and counts neither as passed nor as failed", async () => {
        const files = [join(folder, "endless.spec.ts")];
        const group: Group = { name: "unit", files, jobs: 1, timeoutMs: 600_000, needsTools: false };
        const now = Date.now();
        const limit = { until: now + 3_600_000, stopAt: now + 100 };
        assert.deepEqual(await runGroup(group, { mochaArguments: [], limit }), []);
    });
});
