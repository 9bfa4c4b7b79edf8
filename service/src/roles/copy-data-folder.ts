import { PromptAttempts } from "../agents/prompt-attempts.js";
import { type ServiceDatabase, type SqlClient, type SqlValue } from "../database/database.js";
import { SiteJobAttempts } from "../exports/site-job-attempts.js";

/** Tables about the processes and the storage of the service that is left, or with a row in each new database. */
const notCopied = ["workers", "stored_bundles", "agent_logs", "bundle_removals", "retention_rounds"];

/** The secrets of the empty database are replaced, so that existing links and sessions keep working. */
const replaced = "secrets";

/** Numbers that each database assigns itself, in the order of the rows. */
const generated = "sequence";

/** The target already contains jobs. */
export class DatabaseNotEmptyError extends Error {
    override readonly name = "DatabaseNotEmptyError";
}

/**
 * Copies jobs, prompts, keys, secrets and everything else of a service's own database into an empty shared database,
 * completely or not at all. Running jobs are queued again, except those that were cancelled.
 *
 * @returns how many export jobs it copied
 * @throws DatabaseNotEmptyError
 */
export async function copyDataFolder(source: ServiceDatabase, target: ServiceDatabase): Promise<number> {
    const tables = await tablesOf(source);
    return target.transaction(async (transaction) => {
        for (const table of tables) {
            const isEmpty = (await transaction.get(`SELECT 1 AS found FROM ${table} LIMIT 1`)) === undefined;
            if (!isEmpty && table !== replaced) {
                throw new DatabaseNotEmptyError(
                    `The database already has rows in ${table}: a data folder is copied only into an empty database.`,
                );
            }
        }
        await transaction.run(`DELETE FROM ${replaced}`);
        let jobs = 0;
        for (const table of tables) {
            const copied = await copyTable(source, transaction, table);
            jobs += table === "static_export_jobs" ? copied : 0;
        }
        await new SiteJobAttempts(target, Date.now).takeAll(transaction);
        await new PromptAttempts(target).takeAll(transaction);
        return jobs;
    }, "schema");
}

/** In the order of their creation, so that a table comes after those that it refers to. */
async function tablesOf(source: SqlClient): Promise<string[]> {
    const tables = await source.all<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid",
    );
    return tables.map(({ name }) => name).filter((name) => !notCopied.includes(name));
}

async function copyTable(source: SqlClient, target: SqlClient, table: string): Promise<number> {
    const all = await source.all<{ name: string }>(`PRAGMA table_info(${table})`);
    const columns = all.map(({ name }) => name).filter((name) => name !== generated);
    const order = columns.length < all.length ? generated : "rowid";
    const names = columns.join(", ");
    const insert = `INSERT INTO ${table} (${names}) VALUES (${columns.map((column) => `:${column}`).join(", ")})`;
    const rows = await source.all<Record<string, SqlValue>>(`SELECT ${names} FROM ${table} ORDER BY ${order}`);
    for (const row of rows) {
        await target.run(insert, row);
    }
    return rows.length;
}
