import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { AgentJobLifecycle } from "../../../provider/src/agent-job/lifecycle.js";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { FakeAgents } from "../support/fake-agents.js";
import { FakeClock } from "../../fake-clock.js";
import { FakeMachine } from "../support/fake-machine.js";
import { FakePlatform } from "../support/fake-platform.js";
import { assertHolds } from "../support/replayable.js";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";
import { scaled } from "../../scale.js";
import { Killed, ProviderProcess } from "./provider-process.js";

const command = "npx mocha --no-config --import=tsx tests/provider/properties/equal-exports.process.spec.ts";

/** Processes on two hosts that share a folder; a killed process runs one export, other processes up to three. */
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

/** A kind of resource that a spec creates several times with the same inputs. */
interface Kind<Inputs> {
    inputs: Inputs;
    createLifecycle: (runtime: JobRuntime) => Lifecycle<Inputs, Inputs & { jobId?: string }>;
    createServer: (clock: FakeClock) => FakePlatform | FakeAgents;
}

const bundle: Kind<BundleInputs> = {
    inputs: { domain: "docs.example.com", version: "1", __provider: "shim" },
    createLifecycle: (runtime) => new BundleLifecycle(runtime),
    createServer: (clock) => new FakePlatform(clock),
};
const agentJob: Kind<AgentJobInputs> = {
    inputs: { projectId: "docs", prompt: "Describe the endpoint.", __provider: "shim" },
    createLifecycle: (runtime) => new AgentJobLifecycle(runtime),
    createServer: (clock) => new FakeAgents(clock),
};

describe("Equal resources created at the same time by processes on two hosts, some of which are killed,", () => {
    let workFolder: string;
    let races = 0;
    before(() => {
        workFolder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "static-export-equal-"));
    });
    after(() => rmSync(workFolder, { recursive: true, force: true }));

    const assertOneJob = async <Inputs>(kind: Kind<Inputs>, name: string, runs: number): Promise<void> => {
        const property = fc.asyncProperty(anyRace, (race) => run(kind, race, join(workFolder, String(++races))));
        await assertHolds(property, { name, runs, shrink: true, command });
    };

    const exports = scaled({ short: 100, long: 800 });
    it(`start one export, plus one per killed start that cannot be repeated (${exports} cases)`, async function () {
        this.timeout(60_000 + exports * 1000);
        await assertOneJob(bundle, "EQUAL", exports);
    });

    const agents = scaled({ short: 50, long: 400 });
    it(`create one agent job, plus one per killed creation that cannot be repeated (${agents} cases)`, async function () {
        this.timeout(60_000 + agents * 1000);
        await assertOneJob(agentJob, "AGENT_EQUAL", agents);
    });
});

async function run<Inputs>(
    { inputs, createLifecycle, createServer }: Kind<Inputs>,
    { processes, jobMs, honoursKeys }: Race,
    journalFolder: string,
): Promise<void> {
    const clock = new FakeClock();
    const platform = createServer(clock);
    Object.assign(platform, { jobMs, honoursKeys });
    const machines = [new FakeMachine(), new FakeMachine()];
    const startProcess = (host: number, kill: number | null) =>
        new ProviderProcess({
            createLifecycle,
            journalFolder,
            machine: machines[host]!,
            clock,
            fetch: platform.fetch,
            random: 0.5,
            log: () => undefined,
            kill,
            hasOtherHosts: true,
        });
    /** Returns undefined for a killed run. */
    const jobOf = async ({ call }: ReturnType<typeof startProcess>): Promise<string | undefined> => {
        try {
            return (await call((lifecycle) => lifecycle.create(inputs))).outs?.jobId;
        } catch (error) {
            if (error instanceof Killed) {
                return undefined;
            }
            throw error;
        }
    };
    const started = processes.map(({ host, exports, kill }) => ({ process: startProcess(host, kill), exports }));
    const survivors = await Promise.all(
        started.flatMap(({ process, exports }) => Array.from({ length: exports }, () => jobOf(process))),
    );
    if (survivors.filter((jobId) => jobId !== undefined).length === 0) {
        // Runs the next `pulumi up` after a killed run.
        survivors.push(await jobOf(startProcess(processes[0]!.host, null)));
    }
    const openStarts = started.filter(({ process }) => process.wasKilledDuringStart).length;
    const rights = 1 + (honoursKeys ? 0 : openStarts);
    assert.ok(platform.jobs.size <= rights, `${platform.jobs.size} jobs were started, where ${rights} may be`);
    const shared = new Set(survivors.filter((jobId) => jobId !== undefined));
    assert.equal(shared.size, 1, `the runs have ${[...shared].join(", ")}`);
}
