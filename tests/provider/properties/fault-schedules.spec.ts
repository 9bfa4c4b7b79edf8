import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Rehearsal } from "./rehearsal.js";
import { anySchedule } from "./schedule.js";

const { FAULT_RUNS, FAULT_SEED, FAULT_PATH } = process.env;
const numRuns = Number(FAULT_RUNS ?? 1000);

/**
 * FAULT_RUNS is the number of schedules. A failure says FAULT_SEED and FAULT_PATH: with both set, the very schedule
 * that failed, made as small as possible, is the only one that runs.
 */
describe("random schedules of faults, kills and edits, against the lifecycle of a StaticExportBundle", () => {
    let workFolder: string;
    before(() => {
        // Journals are small and many: in memory where there is such a folder.
        workFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "static-export-faults-"));
    });
    after(() => rmSync(workFolder, { recursive: true, force: true }));

    it(`hold in ${numRuns} of them: one job a change, an end by the deadline, no secret, a readable state, and rest`, async function () {
        this.timeout(numRuns * 200);
        const property = fc.asyncProperty(anySchedule, (schedule) => new Rehearsal(schedule, workFolder).run());
        const details = await fc.check(property, {
            numRuns,
            ...(FAULT_SEED === undefined ? {} : { seed: Number(FAULT_SEED) }),
            ...(FAULT_PATH === undefined ? {} : { path: FAULT_PATH, endOnFailure: true }),
        });
        if (details.failed) {
            const replay = `FAULT_SEED=${details.seed} FAULT_PATH=${details.counterexamplePath}`;
            throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n\nReplay it: ${replay} npm run test:faults`, {
                cause: details.errorInstance,
            });
        }
    });
});
