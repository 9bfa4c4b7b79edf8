import { join } from "node:path";
import { openSqlite } from "./open-sqlite.js";

/**
 * Keeps other workers out of a folder until the returned function is called or the process ends for any reason.
 *
 * @throws when another process has locked it
 */
export function lockFolder(folder: string): () => void {
    const database = openSqlite(join(folder, "lock.sqlite"));
    try {
        database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
        database.close();
        throw new Error(
            `Data folder ${folder} is in use by another worker: stop that one, or choose another data folder.`,
            { cause: error },
        );
    }
    return () => {
        if (database.isOpen) {
            database.close();
        }
    };
}
