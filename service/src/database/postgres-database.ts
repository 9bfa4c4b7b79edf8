import { type Pool, type PoolClient, type QueryResultRow } from "pg";
import {
    DatabaseUnavailableError,
    type ServiceDatabase,
    type SqlRunner,
    type SqlValues,
    type TransactionLock,
    type SqlValue,
} from "./database.js";

const maxConnections = 10;
const connectTimeoutMs = 5000;
const statementTimeoutMs = 30_000;

/** The id of the type of counts, sizes and times, which the driver would give as text. */
const int8 = 20;

type Client = Pick<PoolClient, "query">;

/** Runs statements on a connection, or on any one of a pool. */
class PostgresRunner implements SqlRunner {
    readonly #client: () => Promise<Client>;

    constructor(client: () => Promise<Client>) {
        this.#client = client;
    }

    async all<Row>(sql: string, values?: SqlValues): Promise<Row[]> {
        return (await this.#query(sql, values)).rows as Row[];
    }

    async get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined> {
        return (await this.all<Row>(sql, values))[0];
    }

    async run(sql: string, values?: SqlValues): Promise<number> {
        return (await this.#query(sql, values)).rowCount ?? 0;
    }

    async #query(sql: string, values?: SqlValues) {
        try {
            const client = await this.#client();
            // PostgreSQL accepts several statements in one text only without values.
            return await client.query<QueryResultRow>(values === undefined ? sql : withPositions(sql, values));
        } catch (error) {
            throw describe(error);
        }
    }
}

/** The service's database on a PostgreSQL server, version 13 or later. Connects with the first statement. */
export class PostgresDatabase implements ServiceDatabase {
    readonly #url: string;
    readonly #runner = new PostgresRunner(() => this.#pool());
    #opened: Promise<Pool> | undefined;

    /** @param url - postgres://…; an error never shows it, because it may hold a password */
    constructor(url: string) {
        this.#url = url;
    }

    all<Row>(sql: string, values?: SqlValues): Promise<Row[]> {
        return this.#runner.all(sql, values);
    }

    get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined> {
        return this.#runner.get(sql, values);
    }

    run(sql: string, values?: SqlValues): Promise<number> {
        return this.#runner.run(sql, values);
    }

    async transaction<T>(work: (transaction: SqlRunner) => Promise<T>, lock?: TransactionLock): Promise<T> {
        const client = await this.#connect();
        let broken: Error | undefined;
        // Without a listener, the loss of a connection in use would end the process; its statement reports it, too.
        const onError = (error: Error): void => void (broken = error);
        client.on("error", onError);
        const runner = new PostgresRunner(() => Promise.resolve(client));
        try {
            await runner.run("BEGIN");
            if (lock !== undefined) {
                await runner.run("SELECT pg_advisory_xact_lock(hashtextextended(:lock, 0))", { lock });
            }
            const result = await work(runner);
            await runner.run("COMMIT");
            return result;
        } catch (error) {
            await runner.run("ROLLBACK").catch((failed: Error) => (broken = failed));
            throw error;
        } finally {
            client.off("error", onError);
            client.release(broken);
        }
    }

    async close(): Promise<void> {
        await (await this.#opened)?.end();
    }

    async #connect(): Promise<PoolClient> {
        try {
            return await (await this.#pool()).connect();
        } catch (error) {
            throw describe(error);
        }
    }

    #pool(): Promise<Pool> {
        return (this.#opened ??= this.#open());
    }

    async #open(): Promise<Pool> {
        // Imported here, so that services with SQLite do not load it.
        const { default: pg } = await import("pg");
        const pool = new pg.Pool({
            connectionString: this.#url,
            max: maxConnections,
            connectionTimeoutMillis: connectTimeoutMs,
            statement_timeout: statementTimeoutMs,
            keepAlive: true,
            application_name: "static-export",
            types: {
                getTypeParser: ((oid: number, format?: "text"): unknown =>
                    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as never,
            },
        });
        // An idle connection that is lost is replaced by the next statement.
        pool.on("error", () => undefined);
        return pool;
    }
}

/** SQLSTATE classes and codes of connections that fail, of a server that stops or starts, and of one without resources. */
const unavailable = /^(08\w{3}|57P0[1-3]|53\w{3}|E[A-Z]+)$/;

function describe(error: unknown): unknown {
    const { code = "", message } = error as Error & { code?: string };
    const lost = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/.test(
        message,
    );
    return unavailable.test(code) || lost
        ? new DatabaseUnavailableError(`The database cannot be reached (${code === "" ? message : code}).`, {
              cause: error,
          })
        : error;
}

const name = /(?<!:):([A-Za-z]\w*)/g;

/** The statement with `$1`, `$2` and so on for its `:name`s, and their values in this order. */
function withPositions(sql: string, values: SqlValues): { text: string; values: SqlValue[] } {
    const names: string[] = [];
    const text = sql.replace(name, (_whole, each: string) => {
        const known = names.indexOf(each);
        return `$${known === -1 ? names.push(each) : known + 1}`;
    });
    return { text, values: names.map((each) => values[each] ?? null) };
}
