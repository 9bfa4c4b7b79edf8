import { type ServiceDatabase } from "../database/database.js";

/** The log of one run of a prompt. */
export interface AgentLog {
    jobId: string;
    attempt: number;
}

/** Which logs of agents' runs were, or are about to be, stored in the bucket. */
export class AgentLogRecords {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** Records that an upload may begin now. */
    async record({ jobId, attempt }: AgentLog): Promise<void> {
        await this.#database.run(
            `INSERT INTO agent_logs (job_id, attempt, recorded_at) VALUES (:jobId, :attempt, :now)
             ON CONFLICT (job_id, attempt) DO UPDATE SET recorded_at = excluded.recorded_at`,
            { jobId, attempt, now: this.#clock() },
        );
    }

    /**
     * Forgets the logs that were recorded before this time, once `remove` has removed them. Only one process at a time
     * does this.
     */
    async removeRecordedBefore(before: number, remove: (log: AgentLog) => Promise<void>): Promise<void> {
        await this.#database.transaction(async (transaction) => {
            const rows = await transaction.all<{ job_id: string; attempt: number }>(
                "SELECT job_id, attempt FROM agent_logs WHERE recorded_at < :before",
                { before },
            );
            for (const { job_id: jobId, attempt } of rows) {
                await remove({ jobId, attempt });
                await transaction.run(
                    "DELETE FROM agent_logs WHERE job_id = :jobId AND attempt = :attempt AND recorded_at < :before",
                    { jobId, attempt, before },
                );
            }
        }, "agent logs");
    }
}
