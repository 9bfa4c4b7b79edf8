import { join } from "node:path";
import { type DatabaseSync } from "node:sqlite";

/** Opens a SQLite file with Node's own driver, which is loaded only by services that use SQLite. */
export function openSqlite(file: string): DatabaseSync {
    const { emitWarning } = process;
    // Node.js 22 warns that its driver is experimental; Node.js 24 considers the same interface complete.
    process.emitWarning = () => undefined;
    try {
        const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
        return new DatabaseSync(file);
    } finally {
        process.emitWarning = emitWarning;
    }
}

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
