import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createRandom } from "../../../dev/bench/random.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { scaled } from "../../scale.js";
import { usePostgres } from "../support/postgres.js";
import { type Call, History, type Operation } from "./support/linearizability.js";
import { findContradictions, runPostgresRounds, runRounds } from "./support/parallel-rounds.js";

const operations = scaled({ short: 2000, long: 20_000 });

/** A killed process begins with what earlier ones have left, so that its rounds are longer. */
const operationsInKilledRound = 2000;
const operationsOfKilled = scaled({ short: 500, long: 20_000 });

describe("Jobs of parallel workers and clients", () => {
    const server = usePostgres();

    it(`each see one order of what happens, on PostgreSQL with a process's connections each (${operations} operations)`, async function () {
        this.timeout(60_000 + operations * 60);
        await runPostgresRounds(server(), operations);
    });

    it(`each see one order of what happens, on SQLite in one process (${operations} operations)`, async function () {
        this.timeout(60_000 + operations * 60);
        await runRounds(operations, async (run) => {
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
