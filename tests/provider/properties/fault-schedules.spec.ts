import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { assertHolds, runsOf } from "../support/replayable.js";
import { Rehearsal } from "./rehearsal.js";
import { anySchedule } from "./schedule.js";

const runs = runsOf("FAULT", 600);
const command = "npx mocha --no-config --import=tsx tests/provider/properties/fault-schedules.spec.ts";

describe("the lifecycle of a StaticExportBundle, under random schedules of faults, kills and edits", () => {
    let workFolder: string;
    before(() => {
        // Journals are small and many: in memory where there is such a folder.
        workFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "static-export-faults-"));
    });
    after(() => rmSync(workFolder, { recursive: true, force: true }));

    it(`starts one job a change, ends by its deadline, leaks nothing and comes to rest, in ${runs} of them`, async function () {
        this.timeout(runs * 200);
        const property = fc.asyncProperty(anySchedule, (schedule) => new Rehearsal(schedule, workFolder).run());
        await assertHolds(property, { name: "FAULT", runs, shrink: true, command });
    });
});
