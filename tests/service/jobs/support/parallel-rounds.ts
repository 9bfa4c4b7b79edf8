import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../../service/src/database/postgres-schema.js";
import { waitUntil } from "../../../wait-until.js";
import { type PostgresServer } from "../../support/postgres.js";
import { agentJobModel, type AgentJobState, siteJobModel, type SiteJobState } from "./job-models.js";
import {
    describeHistory,
    type History,
    isLinearizable,
    type Model,
    type Operation,
    shrink,
} from "./linearizability.js";
import { ParallelClient } from "./parallel-client.js";
import { createShared, ParallelWorker, patientTimes } from "./parallel-workers.js";

/** The operations of a round are few enough to read. */
const operationsInRound = 400;

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

export function findContradictions(history: History): string | undefined {
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
    const shared = createShared(seed);
    const known = { jobs: [] as string[], agentJobs: [] as string[] };
    const workers = Array.from(
        { length: workerCount },
        (_, index) => new ParallelWorker(open(), shared, index % 2 === 1),
    );
    const clients = Array.from({ length: clientCount }, () => new ParallelClient(open(), shared, known));
    await Promise.all(workers.map((worker) => worker.start()));
    const { history, random, broken, pushed, ended } = shared;
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
        await Promise.all(workers.map((worker) => worker.replace(patientTimes)));
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
    const archived = await open().all<{ sequence: number }>(
        "SELECT p.sequence FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id WHERE j.status = 'archived'",
    );
    for (const { sequence } of archived.filter((each) => pushed.has(each.sequence) && !ended.has(each.sequence))) {
        broken.push(`The change of prompt ${sequence} stays at the remote although its job is archived.`);
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

type RunRound = (open: () => ServiceDatabase) => Promise<number>;

/** Runs rounds of different numbers of actors. @param withRound - opens a database for one round */
export async function runRounds(operations: number, withRound: (run: RunRound) => Promise<number>): Promise<void> {
    const first = Date.now() % 1_000_000;
    for (let [seed, count] = [first, 0]; count < operations; seed += 1) {
        const actors = 2 + (seed % 7);
        const workers = Math.max(2, Math.floor(actors / 2));
        const clients = Math.max(1, actors - workers);
        count += await withRound((open) => runRound({ seed, workers, clients, open }));
    }
}

/** The columns that transitions change. */
const statuses = {
    static_export_jobs: ["status", "cancellation"],
    agent_jobs: ["status"],
    agent_prompts: ["state"],
};

/** A third of all transitions hold their lock for some milliseconds, as on a busy disk: others meet them. */
const slowTransitions = `
    CREATE FUNCTION hold_lock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF random() < 0.33 THEN PERFORM pg_sleep(random() * 0.008); END IF;
        RETURN NULL;
    END $$;
    ${Object.entries(statuses)
        .map(([table, columns]) => {
            const isTransition = columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`);
            return `CREATE TRIGGER hold_lock AFTER UPDATE ON ${table} FOR EACH ROW
                WHEN (${isTransition.join(" OR ")}) EXECUTE FUNCTION hold_lock();`;
        })
        .join("\n")}`;

/** Runs rounds on PostgreSQL, each in its own database, in which each actor has a process's connections. */
export function runPostgresRounds(server: PostgresServer, operations: number): Promise<void> {
    return runRounds(operations, async (run) => {
        const url = await server.createDatabase();
        const opened: PostgresDatabase[] = [];
        const open = (): PostgresDatabase => {
            opened.push(new PostgresDatabase(url));
            return opened.at(-1)!;
        };
        try {
            await migrateSchema(open());
            await opened[0]!.run(slowTransitions);
            return await run(open);
        } finally {
            await Promise.all(opened.map((database) => database.close()));
        }
    });
}
