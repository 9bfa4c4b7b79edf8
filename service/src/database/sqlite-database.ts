import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseSync } from "node:sqlite";
import { findDamage } from "./check-sqlite.js";
import { assertStorable, type ServiceDatabase, writeNothing, type SqlClient, type SqlValues } from "./database.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { openSqlite } from "./open-sqlite.js";
import { damagedError, isBusy, isDamage, toServiceError } from "./sqlite-errors.js";
import { readSchemas } from "./schemas.js";

/**
 * Opens the service's database in `dataDir` exclusively; every commit is synced to disk before it returns.
 *
 * @param schemas - of the release @default this release's
 * @throws when another process has opened the database, a newer release of the service has written it, or it is damaged
 * or lost.
 */
export function openSqliteDatabase(
    dataDir: string,
    schemas: readonly string[] = readSchemas("sqlite"),
): ServiceDatabase {
    return open(dataDir, (database) => {
        migrate(database, dataDir, schemas);
        return new SqliteDatabase(database, dataDir);
    });
}

/**
 * Writes a copy of the service's database in `dataDir` to another folder, and changes nothing in the first one.
 *
 * @throws as `openSqliteDatabase` does
 */
export function copySqliteDatabase(dataDir: string, target: string): void {
    open(dataDir, (database) => {
        database.prepare("VACUUM INTO :file").run({ file: join(target, fileName) });
        database.close();
    });
}

const fileName = "service.sqlite";

function open<T>(dataDir: string, use: (database: DatabaseSync) => T): T {
    const database = openSqlite(join(dataDir, fileName));
    try {
        // Sets exclusive mode before WAL mode: SQLite then uses no shared memory file, and the lock ends with the
        // process.
        database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
        database.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; COMMIT;");
        const damage = findDamage(database);
        if (damage !== undefined) {
            throw damagedError(dataDir, damage);
        }
        if (versionOf(database) === 0) {
            assertNoBundles(dataDir);
        }
        return use(database);
    } catch (error) {
        database.close();
        if (isBusy(error)) {
            throw new ServiceOptionsError(
                `Data folder ${dataDir} is in use by another service: stop that one, or choose another data folder.`,
                { cause: error },
            );
        }
        throw isDamage(error)
            ? damagedError(dataDir, "its structure cannot be read", error)
            : toServiceError(error, dataDir);
    }
}

function migrate(database: DatabaseSync, dataDir: string, schemas: readonly string[]): void {
    const version = versionOf(database);
    if (version > schemas.length) {
        throw new Error(
            `Data folder ${dataDir} was written by a newer release of the service (layout ${version}, this one knows ` +
                `${schemas.length}): upgrade, or choose another data folder.`,
        );
    }
    for (const [index, statements] of schemas.entries()) {
        if (index >= version) {
            database.exec(`BEGIN IMMEDIATE; ${statements} PRAGMA user_version = ${index + 1}; COMMIT;`);
        }
    }
}

/** The number of schemas that were applied. */
function versionOf(database: DatabaseSync): number {
    return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/**
 * Refuses an empty database if there are bundles: the service would remove all of them, because no job refers to them.
 */
function assertNoBundles(dataDir: string): void {
    const folder = join(dataDir, "bundles");
    if (existsSync(folder) && readdirSync(folder).length > 0) {
        throw new Error(
            `The database service.sqlite in data folder ${dataDir} is missing or empty, but the folder bundles is not: ` +
                "restore a backup, or remove the folder bundles to begin without jobs.",
        );
    }
}

/** Runs statements immediately, even while transactions wait. */
class SqliteSqlClient implements SqlClient {
    readonly #database: DatabaseSync;
    readonly #dataDir: string;

    constructor(database: DatabaseSync, dataDir: string) {
        this.#database = database;
        this.#dataDir = dataDir;
    }

    // eslint-disable-next-line @typescript-eslint/require-await -- an error becomes a rejection
    async all<Row>(sql: string, values: SqlValues = {}): Promise<Row[]> {
        return this.#try(values, () => this.#rows<Row>(sql, values));
    }

    async get<Row>(sql: string, values: SqlValues = {}): Promise<Row | undefined> {
        return (await this.all<Row>(sql, values))[0];
    }

    // eslint-disable-next-line @typescript-eslint/require-await -- an error becomes a rejection
    async run(sql: string, values: SqlValues = {}): Promise<number> {
        return this.#try(values, () => Number(this.#database.prepare(sql).run(values).changes));
    }

    /** Runs statements without values, such as `COMMIT`. */
    exec(sql: string): void {
        this.#try({}, () => this.#database.exec(sql));
    }

    #rows<Row>(sql: string, values: SqlValues): Row[] {
        const statement = this.#database.prepare(sql);
        try {
            return statement.all(values) as Row[];
        } catch (error) {
            if ((error as { code?: string }).code !== "ERR_OUT_OF_RANGE") {
                throw error;
            }
            // An integer that earlier releases stored is too large for a number.
            statement.setReadBigInts(true);
            return (statement.all(values) as Record<string, unknown>[]).map(withNumbers) as Row[];
        }
    }

    #try<T>(values: SqlValues, run: () => T): T {
        assertStorable(values);
        try {
            return run();
        } catch (error) {
            throw toServiceError(error, this.#dataDir);
        }
    }
}

function withNumbers(row: Record<string, unknown>): object {
    return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
    );
}

/** There is one connection, so a statement waits for the open transaction unless the statement belongs to it. */
class SqliteDatabase implements ServiceDatabase {
    readonly #database: DatabaseSync;
    readonly #sqlClient: SqliteSqlClient;
    /** Settles when no transaction is open or waiting. */
    #transactions: Promise<unknown> | undefined;

    constructor(database: DatabaseSync, dataDir: string) {
        this.#database = database;
        this.#sqlClient = new SqliteSqlClient(database, dataDir);
    }

    async all<Row>(sql: string, values?: SqlValues): Promise<Row[]> {
        await this.#untilFree();
        return this.#sqlClient.all(sql, values);
    }

    async get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined> {
        await this.#untilFree();
        return this.#sqlClient.get(sql, values);
    }

    async run(sql: string, values?: SqlValues): Promise<number> {
        await this.#untilFree();
        return this.#sqlClient.run(sql, values);
    }

    async transaction<T>(work: (transaction: SqlClient) => Promise<T>): Promise<T> {
        const result = (this.#transactions ?? Promise.resolve()).then(() => this.#transact(work));
        const settled = result
            .catch(() => undefined)
            .then(() => {
                if (this.#transactions === settled) {
                    this.#transactions = undefined;
                }
            });
        this.#transactions = settled;
        return result;
    }

    async assertWritable(): Promise<void> {
        await this.run(writeNothing);
    }

    async close(): Promise<void> {
        await this.#untilFree();
        this.#database.close();
    }

    async #transact<T>(work: (transaction: SqlClient) => Promise<T>): Promise<T> {
        this.#sqlClient.exec("BEGIN IMMEDIATE");
        try {
            const result = await work(this.#sqlClient);
            this.#sqlClient.exec("COMMIT");
            return result;
        } catch (error) {
            this.#rollBack();
            throw error;
        }
    }

    #rollBack(): void {
        try {
            this.#database.exec("ROLLBACK");
        } catch {
            // SQLite has ended the transaction itself, for example because the disk is full.
        }
    }

    async #untilFree(): Promise<void> {
        while (this.#transactions !== undefined) {
            await this.#transactions;
        }
    }
}
