import { listOf, type SqlClient } from "../database/database.js";

/** A process that takes longer than this to remove a bundle is considered dead. */
const maxRemovalMs = 5 * 60_000;

/** A mark from the future was written before the clock was set back. */
const isAlive = "began_at BETWEEN :oldest AND :newest";

const aliveAt = (now: number) => ({ oldest: now - maxRemovalMs, newest: now + maxRemovalMs });

/** Marks archives that this process is about to remove: no run stores an equal one until {@link endRemoval}. */
export async function beginRemoval(archives: readonly string[], now: number, within: SqlClient): Promise<void> {
    await within.run(`DELETE FROM bundle_removals WHERE NOT (${isAlive})`, aliveAt(now));
    const { values } = listOf("sha", archives);
    const rows = Object.keys(values).map((name) => `(:${name}, :now)`);
    await within.run(
        `INSERT INTO bundle_removals (sha256, began_at) VALUES ${rows.join(", ")}
         ON CONFLICT (sha256) DO UPDATE SET began_at = excluded.began_at`,
        { ...values, now },
    );
}

export async function endRemoval(archives: readonly string[], within: SqlClient): Promise<void> {
    const all = listOf("sha", archives);
    await within.run(`DELETE FROM bundle_removals WHERE sha256 IN (${all.sql})`, all.values);
}

/** Whether a process is removing this archive. */
export async function isBeingRemoved(sha256: string, now: number, within: SqlClient): Promise<boolean> {
    const found = await within.get(`SELECT 1 AS found FROM bundle_removals WHERE sha256 = :sha256 AND ${isAlive}`, {
        sha256,
        ...aliveAt(now),
    });
    return found !== undefined;
}
