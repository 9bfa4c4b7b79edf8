import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { limitOptions, readLimits } from "../../../cli/src/serve/limit-options.js";

const flags = limitOptions("serve");

describe("The flags for the numeric options of the service", () => {
    it("have the defaults and units that the guide states", () => {
        const guide = readFileSync("docs/guides/self-hosted-service.md", "utf8");
        const rows = new Map(
            [...guide.matchAll(/^\| `(--[^`]+)` \|.*?\((\d+)\)/gm)].map(([, flag, value]) => [flag, Number(value)]),
        );
        for (const { flags: flag, defaultValue } of flags.filter((each) => typeof each.defaultValue === "number")) {
            assert.equal(rows.get(flag), defaultValue, flag);
        }
    });

    it("are those of the command: only workers choose how many jobs run at once", () => {
        const namesOf = (command: "serve" | "work") => limitOptions(command).map(({ long }) => long);
        assert.ok(namesOf("work").includes("--concurrency"));
        assert.ok(!namesOf("serve").includes("--concurrency"));
        assert.ok(!namesOf("work").includes("--max-queued-jobs"));
    });

    it("set the options of the service", () => {
        const { exportMemoryMegabytes, keepDays, exportCores } = readLimits({
            exportMemoryMb: 512,
            keepDays: 3,
            port: 1,
        });
        assert.deepEqual([exportMemoryMegabytes, keepDays, exportCores], [512, 3, undefined]);
    });

    it("have the default that the chart passes to the pods of workers", () => {
        const values = parse(readFileSync("charts/static-export-service/values.yaml", "utf8")) as Record<
            "worker" | "builds",
            { concurrency: number }
        >;
        const concurrency = limitOptions("work").find(({ long }) => long === "--concurrency");
        assert.deepEqual(
            [values.worker.concurrency, values.builds.concurrency],
            [concurrency?.defaultValue, concurrency?.defaultValue],
        );
    });
});
