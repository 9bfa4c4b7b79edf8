import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { type Attempts, type RunningAttempt } from "../../../service/src/jobs/attempts.js";
import { Run } from "../../../service/src/jobs/run.js";
import { StalledJobs } from "../../../service/src/jobs/stalled-jobs.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { scaled } from "../../scale.js";

const outageRuns = scaled({ short: 200, long: 800 });
const second = 1000;
const stepMs = second / 2;
const tickMs = 10 * second;
const deadAfterMs = 35 * second;
/** The time that a statement or a connection may hang before the driver gives up. */
const maxHangMs = 12 * second;
/** A dead run keeps its job for the documented time, and until the next check, which may just have hung. */
const maxKeptMs = deadAfterMs + 2 * tickMs + maxHangMs;
const endMs = 20 * 60 * second;

interface Outage {
    /** What nobody can reach; `suspend` stops all machines, but not their clocks. */
    what: "database" | "storage" | "network" | "suspend";
    atMs: number;
    lengthMs: number;
    /** How long a statement waits for its error. */
    hangMs: number;
    /** A short cut of the network is only this worker's. */
    worker: number;
}

interface Plan {
    outages: Outage[];
    workers: { startMs: number; diesAfterMs: number | undefined }[];
}

const ms = (from: number, to: number): fc.Arbitrary<number> => fc.integer({ min: from, max: to });

const plan: fc.Arbitrary<Plan> = fc.record({
    outages: fc.array(
        fc.record({
            what: fc.constantFrom("database", "database", "storage", "network", "suspend"),
            atMs: ms(0, endMs - 300 * second),
            lengthMs: fc.oneof(ms(second, 60 * second), ms(second, 300 * second)),
            hangMs: fc.oneof(fc.constant(0), ms(0, maxHangMs)),
            worker: fc.nat(5),
        }),
        { maxLength: 8 },
    ),
    workers: fc.array(
        fc.record({
            startMs: ms(0, tickMs),
            diesAfterMs: fc.option(ms(0, endMs / 2), { nil: undefined, freq: 3 }),
        }),
        { minLength: 1, maxLength: 6 },
    ),
});

/** A cut of one worker that is longer than this looks like its death, so that only all workers together have longer ones. */
const longestCutOfOneMs = 15 * second;

/** Workers that each run one job, a database that can be away, and a clock that the spec moves. */
class World {
    nowMs = 0;
    readonly jobs: (RunningAttempt & { isRunning: boolean })[];
    /** The workers whose jobs were taken, and when. */
    readonly takenAtMs = new Map<number, number>();
    readonly #plan: Plan;

    constructor(planned: Plan) {
        this.#plan = planned;
        this.jobs = planned.workers.map((_worker, index) => ({
            jobId: `se_${index}`,
            attempt: 1,
            ticks: 0,
            isRunning: false,
        }));
    }

    isDead(worker: number): boolean {
        return this.deadForMs(worker) >= 0;
    }

    deadForMs(worker: number): number {
        const { startMs, diesAfterMs = Infinity } = this.#plan.workers[worker]!;
        return this.nowMs - startMs - diesAfterMs;
    }

    /** Calls the database as a worker does. */
    async call<T>(worker: number, use: () => T): Promise<T> {
        const outage = this.#plan.outages.find((each) => this.#cuts(each, worker));
        if (outage !== undefined || this.isDead(worker)) {
            if (outage !== undefined && outage.hangMs > 0) {
                await new Promise((resolve) => setTimeout(resolve, outage.hangMs));
            }
            throw new DatabaseUnavailableError("away");
        }
        return Promise.resolve(use());
    }

    /** Whether nothing disturbs the workers for this long until now. */
    isQuietFor(quietMs: number): boolean {
        const fromMs = this.nowMs - quietMs;
        return !this.#plan.outages.some(
            ({ what, atMs, lengthMs }) => what !== "storage" && atMs < this.nowMs && atMs + lengthMs > fromMs,
        );
    }

    attemptsOf(worker: number): Pick<Attempts, "tick" | "running" | "takeFrom"> {
        const find = (jobId: string) => this.jobs.find((job) => job.jobId === jobId && job.isRunning);
        return {
            tick: ({ jobId }) =>
                this.call(worker, () => {
                    const job = find(jobId);
                    if (job === undefined) {
                        return "lost";
                    }
                    job.ticks += 1;
                    return "wanted";
                }),
            running: () =>
                this.call(worker, () =>
                    this.jobs.filter(({ isRunning }) => isRunning).map(({ isRunning: _, ...job }) => job),
                ),
            takeFrom: ({ jobId, ticks }) =>
                this.call(worker, () => {
                    const job = find(jobId);
                    if (job?.ticks !== ticks) {
                        return false;
                    }
                    job.isRunning = false;
                    this.takenAtMs.set(this.jobs.indexOf(job), this.nowMs);
                    return true;
                }),
        };
    }

    #cuts({ what, atMs, lengthMs, worker: only }: Outage, worker: number): boolean {
        const isNow = this.nowMs >= atMs && this.nowMs < atMs + lengthMs;
        const isOfOne = what === "network" && lengthMs <= longestCutOfOneMs;
        return isNow && (what === "database" || (what === "network" && (!isOfOne || only === worker)));
    }
}

async function simulate(planned: Plan): Promise<void> {
    const world = new World(planned);
    const runs: Run[] = [];
    const timers: NodeJS.Timeout[] = [];
    /** How far the clocks of the machines are ahead, because they were suspended. */
    let suspendedMs = 0;
    const start = (worker: number): void => {
        const attempts = world.attemptsOf(worker);
        const job = world.jobs[worker]!;
        job.isRunning = true;
        runs.push(
            new Run({
                what: job.jobId,
                attempt: job,
                attempts,
                onUnwanted: () => undefined,
                tickMs,
                logger: silentLogger,
            }),
        );
        const stalled = new StalledJobs({
            kind: "Export job",
            attempts,
            deadAfterMs,
            checkMs: tickMs,
            elapsedMs: () => world.nowMs + suspendedMs,
            logger: silentLogger,
        });
        let checking: Promise<unknown> | undefined;
        timers.push(
            setInterval(() => {
                checking ??= stalled
                    .check()
                    .catch(() => undefined)
                    .finally(() => (checking = undefined));
            }, tickMs),
        );
    };
    mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
    try {
        planned.workers.forEach(({ startMs }, worker) => setTimeout(() => start(worker), startMs));
        const suspensions = planned.outages.filter(({ what }) => what === "suspend");
        for (; world.nowMs < endMs; world.nowMs += stepMs) {
            for (const { atMs, lengthMs } of suspensions) {
                suspendedMs += atMs >= world.nowMs && atMs < world.nowMs + stepMs ? lengthMs : 0;
            }
            mock.timers.tick(stepMs);
            await new Promise((resolve) => setImmediate(resolve));
            assertFair(world);
        }
    } finally {
        runs.forEach((run) => run.end());
        timers.forEach((timer) => clearInterval(timer));
        mock.timers.reset();
    }
}

function assertFair(world: World): void {
    for (const worker of world.takenAtMs.keys()) {
        assert.ok(world.isDead(worker), `the live worker ${worker} lost its job at ${world.nowMs} ms`);
    }
    const isWatched = world.jobs.some((job, worker) => (job.isRunning || job.ticks > 0) && !world.isDead(worker));
    const isQuiet = world.isQuietFor(maxKeptMs);
    world.jobs.forEach((job, worker) => {
        const hasLongBeenDead = world.deadForMs(worker) > maxKeptMs;
        assert.ok(
            !(isWatched && isQuiet && hasLongBeenDead && job.isRunning),
            `the dead worker ${worker} still has its job at ${world.nowMs} ms`,
        );
    });
}

describe("Random outages of the database, the storage and the network, and suspended machines", function () {
    this.timeout(outageRuns * 500 + 30_000);

    it(`take no job from a live worker, and let no dead one keep its job (${outageRuns} seeds)`, async () => {
        await fc.assert(fc.asyncProperty(plan, simulate), { numRuns: outageRuns });
    });

    it("take no job from a worker that another one saw for the last time before the outage", async () => {
        const outage: Outage = { what: "database", atMs: 39_500, lengthMs: 59_000, hangMs: 0, worker: 0 };
        const workers = [
            { startMs: 0, diesAfterMs: undefined },
            { startMs: 9000, diesAfterMs: undefined },
        ];
        await simulate({ outages: [outage], workers });
    });
});
