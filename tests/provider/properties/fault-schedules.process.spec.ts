import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { assertHolds } from "../support/replayable.js";
import { scaled } from "../../scale.js";
import { AgentRehearsal } from "./agent-rehearsal.js";
import { anyAgentSchedule } from "./agent-schedule.js";
import { BundleRehearsal } from "./bundle-rehearsal.js";
import { anyBundleSchedule } from "./bundle-schedule.js";

const command = "npx mocha --no-config --import=tsx tests/provider/properties/fault-schedules.process.spec.ts";

describe("the lifecycle under random faults, kills and edits", () => {
    let workFolder: string;
    before(() => {
        // Stores the many small journals in memory if the system has a folder for that purpose.
        workFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "static-export-faults-"));
    });
    after(() => rmSync(workFolder, { recursive: true, force: true }));

    const bundles = scaled({ short: 60, long: 2500 });
    it(`starts one job per change of a bundle, ends in time, leaks nothing and settles (${bundles} cases)`, async function () {
        this.timeout(60_000 + bundles * 200);
        const property = fc.asyncProperty(anyBundleSchedule, (schedule) =>
            new BundleRehearsal(schedule, workFolder).run(),
        );
        await assertHolds(property, { name: "FAULT", runs: bundles, shrink: true, command });
    });

    const agents = scaled({ short: 30, long: 500 });
    it(`sends one prompt per change of an AgentJob, ends in time, leaks nothing and settles (${agents} cases)`, async function () {
        this.timeout(60_000 + agents * 200);
        const property = fc.asyncProperty(anyAgentSchedule, (schedule) =>
            new AgentRehearsal(schedule, workFolder).run(),
        );
        await assertHolds(property, { name: "AGENT_FAULT", runs: agents, shrink: true, command });
    });
});
