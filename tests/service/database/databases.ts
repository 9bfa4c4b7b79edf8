import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { usePostgres, withPostgres } from "../support/postgres.js";
import { withSqlite } from "../support/sqlite.js";

type WithDatabase = (use: (database: ServiceDatabase) => Promise<void>) => Promise<void>;

/** Declares the same specs for SQLite and for PostgreSQL, each with a separate database. */
export function describeOnBoth(title: string, declare: (withDatabase: WithDatabase) => void): void {
    describe(`${title}, on SQLite`, () => declare(withSqlite));
    describe(`${title}, on PostgreSQL`, () => {
        const server = usePostgres();
        declare((use) => withPostgres(server(), use));
    });
}
