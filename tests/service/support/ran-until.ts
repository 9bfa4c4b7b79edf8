import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Records that the stopped service of this folder ran until this time, because time without it does not count. */
export function ranUntil(folder: string, endedAt: number): void {
    const database = new DatabaseSync(join(folder, "data", "service.sqlite"));
    database.prepare("UPDATE observed_times SET ended_at = :endedAt").run({ endedAt });
    database.close();
}
