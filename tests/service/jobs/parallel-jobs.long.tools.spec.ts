import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createRandom } from "../../../dev/bench/random.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { scaled } from "../../scale.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { agentJobModel, type AgentJobState, siteJobModel, type SiteJobState } from "./support/job-models.js";
import {
    type Call,
    describeHistory,
    History,
    isLinearizable,
    type Model,
    type Operation,
    shrink,
} from "./support/linearizability.js";
import { ParallelClient } from "./support/parallel-client.js";
import { ParallelWorker } from "./support/parallel-workers.js";

/** The operations of a round are few enough to read. */
const operationsInRound = 400;
const operations = scaled({ short: 2000, long: 20_000 });

/** A killed process begins with what earlier ones have left, so that its rounds are longer. */
const operationsInKilledRound = 2000;
const operationsOfKilled = scaled({ short: 500, long: 20_000 });

const hasNoEffect = ({ name, result, isOptional }: Operation): boolean =>
    isOptional === true || name === "read" || name === "tick" || result === false;

/** The first job whose history no order explains, in words. */
function findContradiction<State>(history: History, beginning: string, model: Model<State | null>): string | undefined {
    for (const object of history.objects.keys()) {
        const all = history.of(object);
        if (object.startsWith(beginning) && !isLinearizable(all, null, model)) {
            return `${object}\n${describeHistory(shrink(all, null, model, hasNoEffect))}`;
        }
    }
    return undefined;
}

function findContradictions(history: History): string | undefined {
    return (
        findContradiction<NonNullable<SiteJobState>>(history, "se_", siteJobModel) ??
        findContradiction<NonNullable<AgentJobState>>(history, "aj_", agentJobModel)
    );
}

interface Round {
    seed: number;
    workers: number;
    clients: number;
    /** Gives each actor its connections. */
    open: () => ServiceDatabase;
}

/** Runs actors at the same time until nothing is left to do. @returns the number of operations */
async function runRound({ seed, workers: workerCount, clients: clientCount, open }: Round): Promise<number> {
    const shared = { history: new History(), random: createRandom(seed), broken: [] as string[] };
    const known = { jobs: [] as string[], agentJobs: [] as string[] };
    const workers = Array.from(
        { length: workerCount },
        (_, index) => new ParallelWorker(open(), shared, index % 2 === 1),
    );
    const clients = Array.from({ length: clientCount }, () => new ParallelClient(open(), shared, known));
    await Promise.all(workers.map((worker) => worker.start()));
    const { history, random, broken } = shared;
    const isOver = (): boolean => history.count >= operationsInRound;
    const replacing = (async () => {
        while (!isOver()) {
            await clients[0]!.act();
            if (random() < 0.1) {
                await workers[Math.floor(random() * workers.length)]!.replace();
            }
        }
    })();
    const acting = clients.slice(1).map(async (client) => {
        while (!isOver()) {
            await client.act();
        }
    });
    try {
        await Promise.all([replacing, ...acting]);
        const database = open();
        await waitUntil("every job has ended", async () => {
            const unfinished = await database.get(
                `SELECT 1 AS found FROM static_export_jobs WHERE status IN ('queued', 'running')
                 UNION SELECT 1 FROM agent_prompts WHERE state <> 'done' UNION SELECT 1 FROM agent_jobs WHERE status = 'active'`,
            );
            return unfinished === undefined;
        });
    } finally {
        await Promise.all(workers.map((worker) => worker.close()));
    }
    for (const jobId of known.jobs) {
        await clients[0]!.readJob(jobId);
    }
    for (const id of known.agentJobs) {
        await clients[0]!.readAgentJob(id);
    }
    const contradiction = findContradictions(history);
    assert.equal(contradiction, undefined, `seed ${seed}: no order explains the operations of ${contradiction}`);
    assert.deepEqual(broken, [], `seed ${seed}`);
    return history.count;
}

describe("Jobs of parallel workers and clients", () => {
    const server = usePostgres();

    async function runRounds(
        withRound: (run: (open: () => ServiceDatabase) => Promise<number>, seed: number) => Promise<number>,
    ) {
        const first = Date.now() % 1_000_000;
        for (let [seed, count] = [first, 0]; count < operations; seed += 1) {
            const actors = 2 + (seed % 7);
            const workers = Math.max(2, Math.floor(actors / 2));
            count += await withRound(
                (open) => runRound({ seed, workers, clients: Math.max(1, actors - workers), open }),
                seed,
            );
        }
    }

    it(`each see one order of what happens, on PostgreSQL with a process's connections each (${operations} operations)`, async function () {
        this.timeout(60_000 + operations * 60);
        await runRounds(async (run) => {
            const url = await server().createDatabase();
            const opened: PostgresDatabase[] = [];
            const open = (): PostgresDatabase => {
                opened.push(new PostgresDatabase(url));
                return opened.at(-1)!;
            };
            try {
                await migrateSchema(open());
                return await run(open);
            } finally {
                await Promise.all(opened.map((database) => database.close()));
            }
        });
    });

    it(`each see one order of what happens, on SQLite in one process (${operations} operations)`, async function () {
        this.timeout(60_000 + operations * 60);
        await runRounds(async (run) => {
            const folder = await mkdtemp(join(tmpdir(), "parallel-"));
            const database = openSqliteDatabase(folder);
            try {
                return await run(() => database);
            } finally {
                await database.close();
                await rm(folder, { recursive: true, force: true });
            }
        });
    });

    it(`each see one order of what happens, although their process is killed again and again, on SQLite (${operationsOfKilled} operations)`, async function () {
        this.timeout(60_000 + operationsOfKilled * 60);
        const first = Date.now() % 1_000_000;
        for (let [seed, count] = [first, 0]; count < operationsOfKilled; seed += 1000) {
            count += await runKilledRound(seed, Math.min(operationsInKilledRound, operationsOfKilled));
        }
    });
});

/** Runs and kills processes that share a folder, one after another. @returns the number of operations */
async function runKilledRound(seed: number, atLeast: number): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), "killed-"));
    const random = createRandom(seed);
    const history = new History();
    const lostStarts: Operation[] = [];
    try {
        for (let kill = 0; history.count < atLeast; kill += 1) {
            const lines = 50 + Math.floor(random() * 1950);
            const startsAt = kill * 1_000_000;
            await runUntilKilled({ folder, seed: seed + kill, history, lostStarts, lines, startsAt });
        }
        for (const [object, all] of history.objects) {
            if (!all.some(({ name }) => name === "create")) {
                lostStarts.forEach((start) => history.add(object, start));
            }
        }
        assert.equal(findContradictions(history), undefined, `seed ${seed}`);
        return history.count;
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

interface KilledProcess {
    folder: string;
    seed: number;
    history: History;
    /** Gets starts whose answer, and with it the id of their job, was lost. */
    lostStarts: Operation[];
    /** How many lines of its output are read before it is killed. */
    lines: number;
    /** The beginning of its time. */
    startsAt: number;
}

type Line = Partial<{ call: Call; id: number; object: string; operation: Operation; restart: true; restarted: true }>;

/** Starts a process with the jobs of an earlier one, and kills it; its last calls have no answer. */
async function runUntilKilled({ folder, seed, history, lostStarts, lines, startsAt }: KilledProcess): Promise<void> {
    const program = fileURLToPath(new URL("support/killed-process.ts", import.meta.url));
    const ids = [...history.objects.keys()];
    const child = spawn(process.execPath, ["--import", "tsx", program, folder, String(seed), ...ids], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const calls = new Map<number, Call>();
    let [read, end, restartedAt] = [0, startsAt, startsAt];
    for await (const text of createInterface({ input: child.stdout })) {
        const { call, id = 0, object = "", operation, restart, restarted } = JSON.parse(text) as Line;
        if (restart === true || restarted === true) {
            restartedAt = startsAt + 0.5;
        } else if (call !== undefined) {
            calls.set(call.id, { ...call, invokedAt: startsAt + call.invokedAt });
            end = startsAt + call.invokedAt;
        } else if (operation !== undefined) {
            calls.delete(id);
            const [invokedAt, returnedAt] = [startsAt + operation.invokedAt, startsAt + operation.returnedAt];
            const placed = { ...operation, invokedAt, returnedAt };
            if (operation.name === "remove") {
                history.everywhere.push({ ...placed, isOptional: true });
            } else if (object !== "") {
                history.add(object, placed);
            }
            end = returnedAt;
        }
        read += 1;
        if (read === lines) {
            child.kill("SIGKILL");
        }
    }
    await exited;
    for (const id of ids) {
        history.add(id, { name: "restart", result: null, invokedAt: restartedAt, returnedAt: restartedAt });
    }
    for (const { name, object, input, invokedAt } of calls.values()) {
        const lost = { name, input, result: null, invokedAt, returnedAt: end + 1, isOptional: true };
        if (object !== undefined) {
            history.add(object, lost);
        } else if (name === "create") {
            lostStarts.push(lost);
        } else {
            // An unanswered claim may have taken any job, and an unanswered removal may have removed any.
            history.everywhere.push(lost);
        }
    }
}
