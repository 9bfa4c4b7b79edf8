import { join } from "node:path";
import { type DatabaseSync } from "node:sqlite";
import { ServiceOptionsError } from "../shared/service-options-error.js";

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
 * @throws ServiceOptionsError when another process has locked it
 */
export function lockFolder(folder: string): () => void {
    try {
        return lockFile(join(folder, "lock.sqlite"));
    } catch (error) {
        throw new ServiceOptionsError(
            `Data folder ${folder} is in use by another worker: stop that one, or choose another data folder.`,
            { cause: error },
        );
    }
}

/**
 * Locks a file, which it creates, until the returned function is called or the process ends for any reason.
 *
 * @throws when it is locked, also by this process, or when the file system has no locks
 */
export function lockFile(path: string): () => void {
    const database = openSqlite(path);
    try {
        // Writes no journal next to the file.
        database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    } catch (error) {
        database.close();
        throw error;
    }
    return () => {
        if (database.isOpen) {
            database.close();
        }
    };
}
