import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Group } from "../../../dev/test-run/groups.js";
import { runGroup } from "../../../dev/test-run/run-group.js";

const busy = 'describe("a wheel", () => it("turns", () => { while (process.cpuUsage().user < 1_500_000); }));';
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

describe("A spec file that uses more CPU time than its group allows", () => {
    it("fails, and one that uses less passes", async () => {
        const folder = await mkdtemp(join(tmpdir(), "static-export-busy-"));
        try {
            const files = [join(folder, "busy.spec.ts")];
            await writeFile(files[0] ?? "", busy);
            const failuresWithin = async (maxProcessorSeconds: number) => {
                const limits = { timeoutMs: 600_000, maxProcessorSeconds };
                const group: Group = { name: "unit", files, jobs: 1, needsTools: false, ...limits };
                const results = await runGroup(group, { mochaArguments: [] });
                return results.flatMap(({ failures }) => failures.map(({ message }) => message));
            };
            const [message = ""] = await failuresWithin(1);
            assert.match(message, /^It used [\d.]+ s of CPU time, more than the limit of the group "unit", 1 s: /);
            assert.deepEqual(await failuresWithin(600), []);
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});

describe("A failure whose error has a cause", () => {
    it("is reported with the cause", async () => {
        const folder = await mkdtemp(join(tmpdir(), "static-export-cause-"));
        try {
            const files = [join(folder, "wheel.spec.ts")];
            const fails = 'throw new Error("It stopped.", { cause: new Error("A stone.") });';
            await writeFile(files[0] ?? "", `describe("a wheel", () => it("turns", () => { ${fails} }));`);
            const group: Group = { name: "unit", files, jobs: 1, timeoutMs: 600_000, needsTools: false };
            const [result] = await runGroup(group, { mochaArguments: [] });
            assert.match(
                result?.failures[0]?.message ?? "",
                /^Error: It stopped\.\n[^]*\nCaused by: Error: A stone\.\n/,
            );
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});
