import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { FakeClock } from "../support/fake-clock.js";
import { FakeMachine } from "../support/fake-machine.js";
import { FakePlatform } from "../support/fake-platform.js";
import { assertHolds, runsOf } from "../support/replayable.js";
import { Killed, ProviderProcess } from "./provider-process.js";

const runs = runsOf("EQUAL", 100);
const command = "npx mocha --no-config --import=tsx tests/provider/properties/equal-exports.spec.ts";
const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

/** Processes on two hosts that share a folder; one that is killed runs one export, any other one up to three. */
const anyRace = fc.record({
    processes: fc.array(
        fc.oneof(
            fc.record({ host: fc.nat({ max: 1 }), exports: fc.integer({ min: 1, max: 3 }), kill: fc.constant(null) }),
            fc.record({ host: fc.nat({ max: 1 }), exports: fc.constant(1), kill: fc.nat({ max: 8 }) }),
        ),
        { minLength: 1, maxLength: 5 },
    ),
    jobMs: fc.constantFrom(0, 2_000, 30_000),
    honoursKeys: fc.boolean(),
});

type Race = typeof anyRace extends fc.Arbitrary<infer T> ? T : never;

describe("Equal exports at once, in several processes of two hosts, some of which are killed", () => {
    let workFolder: string;
    let races = 0;
    before(() => {
        workFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "static-export-equal-"));
    });
    after(() => rmSync(workFolder, { recursive: true, force: true }));

    it(`start one job, or one more for each start that was killed and cannot be repeated, in ${runs} cases`, async function () {
        this.timeout(runs * 1000);
        const property = fc.asyncProperty(anyRace, (race) => run(race, join(workFolder, String(++races))));
        await assertHolds(property, { name: "EQUAL", runs, shrink: true, command });
    });
});

async function run({ processes, jobMs, honoursKeys }: Race, journalFolder: string): Promise<void> {
    const clock = new FakeClock();
    const platform = new FakePlatform(clock);
    Object.assign(platform, { jobMs, honoursKeys });
    const machines = [new FakeMachine(), new FakeMachine()];
    const startProcess = (host: number, kill: number | null) =>
        new ProviderProcess({
            journalFolder,
            machine: machines[host]!,
            clock,
            fetch: platform.fetch,
            random: 0.5,
            print: () => undefined,
            kill,
            hasOtherHosts: true,
        });
    const started = processes.map(({ host, exports, kill }) => ({ process: startProcess(host, kill), exports }));
    const survivors = await Promise.all(
        started.flatMap(({ process, exports }) => Array.from({ length: exports }, () => jobOf(process))),
    );
    if (survivors.filter((jobId) => jobId !== undefined).length === 0) {
        // The next pulumi up of one that was killed.
        survivors.push(await jobOf(startProcess(processes[0]!.host, null)));
    }
    const openStarts = started.filter(({ process }) => process.wasKilledDuringStart).length;
    const rights = 1 + (honoursKeys ? 0 : openStarts);
    assert.ok(platform.jobs.size <= rights, `${platform.jobs.size} jobs were started, where ${rights} may be`);
    const shared = new Set(survivors.filter((jobId) => jobId !== undefined));
    assert.equal(shared.size, 1, `the exports have ${[...shared].join(", ")}`);
}

/** Undefined for a run that was killed. */
async function jobOf({ call }: ProviderProcess): Promise<string | undefined> {
    try {
        const { outs } = await call((lifecycle) => lifecycle.create(inputs));
        return (outs as { jobId: string }).jobId;
    } catch (error) {
        if (error instanceof Killed) {
            return undefined;
        }
        throw error;
    }
}
