import { type LogFields } from "../shared/logger.js";
import { type ServiceDatabase, type SqlClient, type SqlValues } from "../database/database.js";

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

interface AttemptsTable {
    name: string;
    /** The column that contains `running` during an attempt. */
    status: string;
    /** SQL assignments that put a job back into the queue. */
    waiting: string;
}

/**
 * The attempts of one kind of job in the database. A claim raises the attempt number, and every later write contains
 * this number. Therefore the writes of a run that has lost its job change nothing, and report the loss.
 * dev/architecture/README.md explains why no queue library is used.
 */
export abstract class Attempts {
    protected readonly database: ServiceDatabase;
    readonly #table: AttemptsTable;

    constructor(database: ServiceDatabase, table: AttemptsTable) {
        this.database = database;
        this.#table = table;
    }

    /** Records that the run is alive. @returns whether its job is still wanted, or lost to another run */
    abstract tick(attempt: Attempt): Promise<"wanted" | "unwanted" | "lost">;

    /**
     * Ends a job as failed whose outcome the database does not accept; stores nothing but the reason.
     * @returns false if the run has lost its job
     */
    abstract giveUp(attempt: Attempt, reason: string): Promise<boolean>;

    /**
     * Puts a job whose run was stopped on purpose back into the queue; that start does not count.
     * @returns false if the run has lost its job
     */
    async putBack(attempt: Attempt): Promise<boolean> {
        const { waiting } = this.#table;
        const report = this.unstored?.(attempt);
        const isStored = await this.write(
            attempt,
            `${waiting}, starts = CASE WHEN starts > 0 THEN starts - 1 ELSE 0 END${report?.sql ?? ""}`,
            report?.values,
        );
        if (isStored) {
            report?.stored();
        }
        return isStored;
    }

    /** Assignments with what a run has reported since its last tick. */
    protected unstored?(attempt: Attempt): { sql: string; values: SqlValues; stored: () => void };

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
    async takeFrom({ jobId, attempt, ticks }: RunningAttempt): Promise<boolean> {
        const { name, status, waiting } = this.#table;
        const taken = await this.database.run(
            `UPDATE ${name} SET ${waiting}${this.stamp.sql}
             WHERE job_id = :jobId AND attempt = :attempt AND ticks = :ticks AND ${status} = 'running'`,
            { jobId, attempt, ticks, ...this.stamp.values },
        );
        return taken === 1;
    }

    /** Takes all jobs that a killed process left running; only for a process that does not share the database. */
    async takeAll(within: SqlClient = this.database): Promise<void> {
        const { name, status, waiting } = this.#table;
        await within.run(
            `UPDATE ${name} SET ${waiting}${this.stamp.sql} WHERE ${status} = 'running'`,
            this.stamp.values,
        );
    }

    /** Assignments that are part of every write. */
    protected get stamp(): { sql: string; values: SqlValues } {
        return { sql: "", values: {} };
    }

    /** @returns false if the run has lost its job */
    protected async write(
        { jobId, attempt }: Attempt,
        assignments: string,
        values: SqlValues = {},
        within: SqlClient = this.database,
    ): Promise<boolean> {
        const { name, status } = this.#table;
        const changed = await within.run(
            `UPDATE ${name} SET ${assignments}${this.stamp.sql}
             WHERE job_id = :jobId AND attempt = :attempt AND ${status} = 'running'`,
            { ...values, jobId, attempt, ...this.stamp.values },
        );
        return changed === 1;
    }

    /** Whether the run has already ended its job with this status: a run repeats a write whose response was lost. */
    protected async hasEnded({ jobId, attempt }: Attempt, as: string, within: SqlClient = this.database) {
        const { name, status } = this.#table;
        const found = await within.get(
            `SELECT 1 AS found FROM ${name} WHERE job_id = :jobId AND attempt = :attempt AND ${status} = '${as}'`,
            { jobId, attempt },
        );
        return found !== undefined;
    }
}

/** The log fields for an attempt. */
export function aboutAttempt({ jobId, domain }: Pick<Attempt, "jobId" | "domain">): LogFields {
    return { job: jobId, ...(domain === undefined ? {} : { domain }) };
}
