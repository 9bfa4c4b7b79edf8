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
