import { type LogFields } from "../shared/logger.js";
import { type ServiceDatabase, type SqlClient, type SqlValues } from "../database/database.js";
import { changeStatus, type JobTable, type RunTable } from "./transitions.js";

/** One start of a job. Each start gets a higher number, and every write of the run contains it. */
export interface Attempt {
    jobId: string;
    /** The site; absent for prompts of agents. */
    domain?: string;
    attempt: number;
}

/** A running attempt, as of its last tick. */
export interface RunningAttempt extends Attempt {
    /** Increases with each tick. */
    ticks: number;
}

/** The progress and log lines that a run has not stored yet. */
export interface Report {
    /** Assignments that store it. */
    sql: string;
    values: SqlValues;
    /** Called once it is stored. */
    stored: () => void;
}

/**
 * The attempts of one kind of job in the database. A claim raises the attempt number, and every later write contains
 * this number. Therefore the writes of a run that has lost its job change nothing, and report the loss.
 * dev/architecture/README.md explains why no queue library is used.
 */
export abstract class Attempts {
    protected readonly database: ServiceDatabase;
    readonly #table: RunTable;

    constructor(database: ServiceDatabase, table: RunTable) {
        this.database = database;
        this.#table = table;
    }

    /**
     * Records that the run is alive, and stores what it has reported.
     * @returns whether its job is still wanted, or lost to another run
     */
    async tick(attempt: Attempt): Promise<"wanted" | "unwanted" | "lost"> {
        const report = this.unstored?.(attempt);
        const progress = this.progress?.(attempt);
        const assignments = joined("ticks = ticks + 1", progress?.sql, report?.sql, this.stamp.sql);
        const row = await this.database.get<{ is_wanted: number }>(
            `UPDATE ${this.#table.name} SET ${assignments} WHERE ${this.#isHeld}
             RETURNING CASE WHEN ${this.#table.wanted} THEN 1 ELSE 0 END AS is_wanted`,
            { ...progress?.values, ...report?.values, ...this.stamp.values, ...idOf(attempt) },
        );
        if (row === undefined) {
            return "lost";
        }
        report?.stored();
        return row.is_wanted === 1 ? "wanted" : "unwanted";
    }

    /**
     * Ends a job as failed whose outcome the database does not accept; stores nothing but the reason.
     * @returns false if the run has lost its job, or if nobody wants it any more
     */
    abstract giveUp(attempt: Attempt, reason: string): Promise<boolean>;

    /**
     * Puts a job whose run was stopped on purpose back into the queue; that start does not count. A job that nobody
     * wants any more ends as cancelled instead, unless another run must take back what others see of it.
     * @returns what became of the job: somebody may have stopped wanting it a moment ago
     */
    async putBack(attempt: Attempt, within: SqlClient = this.database): Promise<"requeued" | "cancelled" | "lost"> {
        const report = this.unstored?.(attempt);
        const sets = joined("starts = CASE WHEN starts > 0 THEN starts - 1 ELSE 0 END", report?.sql, this.stamp.sql);
        const { status } = this.#table;
        const row = await within.get<{ status: string }>(
            `${changeStatus(this.#table, "putBack", { sets, where: this.#isHeld })} RETURNING ${status} AS status`,
            { ...report?.values, ...idOf(attempt), ...this.stamp.values },
        );
        if (row === undefined) {
            return "lost";
        }
        report?.stored();
        return this.#table.transitions.claim.from?.includes(row.status) === true ? "requeued" : "cancelled";
    }

    /** The attempts that are running, in all processes. */
    async running(): Promise<RunningAttempt[]> {
        const { name, status } = this.#table;
        const rows = await this.database.all<{ job_id: string; attempt: number; ticks: number }>(
            `SELECT job_id, attempt, ticks FROM ${name} WHERE ${status} = 'running'`,
        );
        return rows.map(({ job_id: jobId, attempt, ticks }) => ({ jobId, attempt, ticks }));
    }

    /**
     * Takes a job from a run whose number of ticks has not changed, and queues the job for another run.
     *
     * @returns false if the run has ended, ticked or lost its job meanwhile
     */
    async takeFrom({ jobId, attempt, ticks }: RunningAttempt, within: SqlClient = this.database): Promise<boolean> {
        const where = "job_id = :jobId AND attempt = :attempt AND ticks = :ticks";
        const taken = await within.run(changeStatus(this.#table, "take", { sets: this.stamp.sql, where }), {
            ...{ jobId, attempt, ticks },
            ...this.stamp.values,
        });
        return taken === 1;
    }

    /** Takes all jobs that a killed process left running; only for a process that does not share the database. */
    async takeAll(within: SqlClient = this.database): Promise<void> {
        const { status } = this.#table;
        const statement = changeStatus(this.#table, "take", { sets: this.stamp.sql, where: `${status} = 'running'` });
        await within.run(statement, this.stamp.values);
    }

    /** The report since the last tick; every ending of the run stores it, too. */
    protected unstored?(attempt: Attempt): Report;

    /** Assignments of each tick. */
    protected progress?(attempt: Attempt): { sql: string; values: SqlValues };

    /** Assignments that are part of every write. */
    protected get stamp(): { sql: string; values: SqlValues } {
        return { sql: "", values: {} };
    }

    /** Stores something about a run. @returns false if the run has lost its job */
    protected async write(
        attempt: Attempt,
        assignments: string,
        values: SqlValues = {},
        { within = this.database, isWanted = false }: { within?: SqlClient; isWanted?: boolean } = {},
    ): Promise<boolean> {
        const { name, wanted } = this.#table;
        const changed = await within.run(
            `UPDATE ${name} SET ${joined(assignments, this.stamp.sql)}
             WHERE ${this.#isHeld}${isWanted ? ` AND ${wanted}` : ""}`,
            { ...values, ...idOf(attempt), ...this.stamp.values },
        );
        return changed === 1;
    }

    /** Ends a run. @returns false if the run has lost its job, or if the transition needs a job that is wanted */
    protected async endRun(
        attempt: Attempt,
        transition: "complete" | "fail" | "end",
        sets: string,
        values: SqlValues = {},
        within: SqlClient = this.database,
    ): Promise<boolean> {
        const statement = changeStatus(this.#table as JobTable, transition, { sets, where: this.#isHeld });
        return (await within.run(statement, { ...values, ...idOf(attempt), ...this.stamp.values })) === 1;
    }

    /** Whether the run has already ended its job with this status: a run repeats a write whose response was lost. */
    protected async hasEnded(attempt: Attempt, as: string, within: SqlClient = this.database) {
        const { name, status, hasOutcome } = this.#table;
        const found = await within.get(
            `SELECT 1 AS found FROM ${name}
             WHERE job_id = :jobId AND attempt = :attempt AND ${status} = '${as}' AND ${hasOutcome}`,
            idOf(attempt),
        );
        return found !== undefined;
    }

    get #isHeld(): string {
        return `job_id = :jobId AND attempt = :attempt AND ${this.#table.status} = 'running'`;
    }
}

function idOf({ jobId, attempt }: Attempt): SqlValues {
    return { jobId, attempt };
}

/** The assignments that are not empty. */
export function joined(...assignments: readonly (string | undefined)[]): string {
    return assignments.filter((each) => each !== undefined && each !== "").join(", ");
}

/** The log fields for an attempt. */
export function aboutAttempt({ jobId, domain }: Pick<Attempt, "jobId" | "domain">): LogFields {
    return { job: jobId, ...(domain === undefined ? {} : { domain }) };
}
