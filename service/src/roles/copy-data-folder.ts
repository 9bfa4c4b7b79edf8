import { type ServiceDatabase, type SqlClient, type SqlValue } from "../database/database.js";

/** The tables with the columns that both databases have, each table after the tables that it refers to. */
const tables: Readonly<Record<string, { columns: readonly string[]; order: string }>> = {
    static_export_jobs: {
        columns: [
            ...[
                "job_id",
                "domain",
                "version",
                "paths",
                "status",
                "starts",
                "attempt",
                "page_count",
                "error",
                "warnings",
            ],
            ...["size_bytes", "sha256", "created_at", "updated_at", "linked_at", "source_ref"],
            ...["kind", "project_id", "started_by", "commit_details", "preview_of", "branch"],
        ],
        order: "sequence",
    },
    agent_jobs: {
        columns: [
            ...["id", "project_id", "status", "repository", "ref", "branch", "model", "pr_link"],
            ...["created_at", "archived_at"],
        ],
        order: "created_at",
    },
    agent_prompts: {
        columns: [
            ...["job_id", "prompt", "state", "created_at", "attempt", "starts"],
            ...["branch", "base", "commits", "is_follow_up"],
        ],
        order: "sequence",
    },
    admin_keys: {
        columns: [
            ...["id", "name", "title", "sha256", "scopes", "domains", "projects", "priority", "max_queued"],
            ...["max_running", "created_by", "created_at", "expires_at", "revoked_at", "last_used_at"],
            ...["previous_sha256", "previous_until"],
        ],
        order: "created_at",
    },
    idempotency_keys: { columns: ["scope", "key", "request_sha256", "job_id", "created_at"], order: "created_at" },
};

/** The target already contains jobs. */
export class DatabaseNotEmptyError extends Error {
    override readonly name = "DatabaseNotEmptyError";
}

/**
 * Copies jobs, prompts, keys and secrets of a service's own database into an empty shared database, completely or not
 * at all. Running jobs are queued again.
 *
 * @returns how many export jobs it copied
 * @throws DatabaseNotEmptyError
 */
export async function copyDataFolder(source: ServiceDatabase, target: ServiceDatabase): Promise<number> {
    return target.transaction(async (transaction) => {
        for (const table of Object.keys(tables)) {
            if ((await transaction.get(`SELECT 1 AS found FROM ${table} LIMIT 1`)) !== undefined) {
                throw new DatabaseNotEmptyError(
                    `The database has rows in ${table} already: a data folder is copied only into an empty one.`,
                );
            }
        }
        let jobs = 0;
        for (const [table, { columns, order }] of Object.entries(tables)) {
            const copied = await copyTable(source, transaction, { table, columns, order });
            jobs += table === "static_export_jobs" ? copied : 0;
        }
        // Existing links keep working.
        await transaction.run("DELETE FROM secrets");
        await copyTable(source, transaction, {
            table: "secrets",
            columns: ["name", "value", "valid_until"],
            order: "name",
        });
        await transaction.run("UPDATE static_export_jobs SET status = 'queued' WHERE status = 'running'");
        await transaction.run("UPDATE agent_prompts SET state = 'waiting' WHERE state = 'running'");
        return jobs;
    }, "schema");
}

async function copyTable(
    source: ServiceDatabase,
    target: SqlClient,
    { table, columns, order }: { table: string; columns: readonly string[]; order: string },
): Promise<number> {
    const names = columns.join(", ");
    const insert = `INSERT INTO ${table} (${names}) VALUES (${columns.map((column) => `:${column}`).join(", ")})`;
    const rows = await source.all<Record<string, SqlValue>>(`SELECT ${names} FROM ${table} ORDER BY ${order}`);
    for (const row of rows) {
        await target.run(insert, row);
    }
    return rows.length;
}
