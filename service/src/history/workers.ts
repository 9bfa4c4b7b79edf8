import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { type ServiceDatabase } from "../database/database.js";
import { dayMs } from "../shared/day-ms.js";
import { endsWithin } from "../shared/ends-within.js";

export const workerKinds = ["export", "agent"] as const;
type WorkerKind = (typeof workerKinds)[number];

export interface WorkerState {
    id: string;
    kind: WorkerKind;
    host: string;
    /** How many jobs it runs at the same time. */
    concurrency: number;
    startedAt: Date;
    /** When it last reported that it is alive. */
    seenAt: Date;
    /** The jobs that it runs now. */
    jobs: { jobId: string; domain: string }[];
}

/** How often a worker reports that it is alive. */
const reportMs = 10_000;
/** How long the removal of a worker's record may take when it ends. */
const maxRemovalMs = 3000;

/** A worker that has not reported for this long is no longer listed. */
const listedMs = dayMs;

/** The processes that run jobs, for operators: no job depends on these records. */
export class Workers {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** The workers of the last day, the newest first. */
    async list(): Promise<WorkerState[]> {
        const [rows, running] = await Promise.all([
            this.#database.all<{
                id: string;
                kind: WorkerKind;
                host: string;
                concurrency: number;
                started_at: number;
                seen_at: number;
            }>("SELECT * FROM workers WHERE seen_at BETWEEN :since AND :until ORDER BY started_at DESC, id LIMIT 500", {
                since: this.#clock() - listedMs,
                // A later time comes from a clock that has been set back: the worker has not reported since.
                until: this.#clock() + listedMs,
            }),
            this.#database.all<{ job_id: string; domain: string; worker: string | null }>(
                "SELECT job_id, domain, worker FROM static_export_jobs WHERE status = 'running'",
            ),
        ]);
        return rows.map((row) => ({
            id: row.id,
            kind: row.kind,
            host: row.host,
            concurrency: row.concurrency,
            startedAt: new Date(row.started_at),
            seenAt: new Date(row.seen_at),
            jobs: running
                .filter(({ worker }) => worker === row.id)
                .map(({ job_id: jobId, domain }) => ({ jobId, domain })),
        }));
    }

    /** Records a worker, and forgets the workers that ended days ago. */
    async report(worker: Pick<WorkerState, "id" | "kind" | "concurrency" | "startedAt">): Promise<void> {
        const now = this.#clock();
        await this.#database.run(
            `INSERT INTO workers (id, kind, host, concurrency, started_at, seen_at)
             VALUES (:id, :kind, :host, :concurrency, :startedAt, :now)
             ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
            {
                id: worker.id,
                kind: worker.kind,
                host: hostname(),
                concurrency: worker.concurrency,
                startedAt: worker.startedAt.getTime(),
                now,
            },
        );
        await this.#database.run("DELETE FROM workers WHERE seen_at <= :before OR seen_at > :future", {
            before: now - listedMs,
            future: now + listedMs,
        });
    }

    async remove(id: string): Promise<void> {
        await this.#database.run("DELETE FROM workers WHERE id = :id", { id });
    }
}

export function createWorkerId(): string {
    return `wk_${randomBytes(6).toString("hex")}`;
}

/** Reports that a worker is alive, until it is closed. Never rejects: without a database, it reports later. */
export class WorkerReports {
    readonly #workers: Workers;
    readonly #worker: Pick<WorkerState, "id" | "kind" | "concurrency" | "startedAt">;
    #timer: NodeJS.Timeout | undefined;
    #reporting: Promise<void> = Promise.resolve();

    constructor(workers: Workers, worker: Pick<WorkerState, "id" | "kind" | "concurrency" | "startedAt">) {
        this.#workers = workers;
        this.#worker = worker;
    }

    start(): void {
        const report = (): void => {
            this.#reporting = this.#workers.report(this.#worker).catch(() => undefined);
        };
        this.#timer = setInterval(report, reportMs);
        report();
    }

    async close(): Promise<void> {
        if (this.#timer !== undefined) {
            clearInterval(this.#timer);
            await this.#reporting;
            // A database that does not answer must not delay the end.
            await endsWithin(
                this.#workers.remove(this.#worker.id).catch(() => undefined),
                maxRemovalMs,
            );
        }
    }
}
