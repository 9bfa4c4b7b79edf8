import { type PoolClient, type QueryResultRow } from "pg";
import {
    assertStorable,
    type DatabaseConnections,
    type ServiceDatabase,
    type SqlClient,
    type SqlValue,
    type SqlValues,
    type TransactionLock,
    writeNothing,
} from "./database.js";
import { parseDatabaseUrl } from "./postgres-address.js";
import { defaultTimes, PostgresConnections, type PostgresTimes } from "./postgres-connections.js";
import { ConnectionLostError, toServiceError } from "./postgres-errors.js";

/** Six APIs and six workers use 72 connections: PostgreSQL allows 100 by default. */
const maxConnections = 6;
const minute = 60_000;

type TransactionTimes = Pick<PostgresTimes, "statementMs" | "answerMs" | "silentMs">;

/** Transactions that may take longer than a request waits. */
const patience: { [Lock in TransactionLock]?: TransactionTimes } = {
    // 0 disables the limit.
    schema: { statementMs: 0, answerMs: 24 * 60 * minute, silentMs: minute },
    retention: { statementMs: minute, answerMs: minute + 5000, silentMs: defaultTimes.silentMs },
    "agent jobs": { statementMs: minute, answerMs: minute + 5000, silentMs: defaultTimes.silentMs },
};

type Use = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

/** Runs statements on one connection, or each statement on any connection of a pool. */
class PostgresSqlClient implements SqlClient {
    readonly #with: Use;
    readonly #answerMs: number | undefined;

    constructor(use: Use, answerMs?: number) {
        this.#with = use;
        this.#answerMs = answerMs;
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
        assertStorable(values ?? {});
        // PostgreSQL accepts several statements in one string only without values.
        const statement = values === undefined ? { text: sql } : withPositions(sql, values);
        const config = { ...statement, query_timeout: this.#answerMs };
        return this.#with(async (client) => {
            try {
                return await client.query<QueryResultRow>(config);
            } catch (error) {
                throw toServiceError(error);
            }
        });
    }
}

/**
 * The service's database on PostgreSQL 13 or later: one server, or several servers, one of which accepts writes. The
 * connections may go through PgBouncer, even in transaction mode, because locks and settings belong to transactions.
 */
export class PostgresDatabase implements ServiceDatabase {
    readonly #times: PostgresTimes;
    readonly #connections: PostgresConnections;
    /** Its only connection is not for requests and jobs, which may use all others. */
    readonly #checks: PostgresConnections;
    readonly #sqlClient: SqlClient;

    /**
     * @param url - postgres://…; errors never show the address, because it may contain a password
     * @throws ServiceOptionsError
     */
    constructor(url: string, times: PostgresTimes = defaultTimes) {
        this.#times = times;
        const urls = parseDatabaseUrl(url);
        this.#connections = new PostgresConnections(urls, times, maxConnections - 1);
        this.#checks = new PostgresConnections(urls, times, 1);
        this.#sqlClient = new PostgresSqlClient((use) =>
            this.#connections.with((client, isPooled) =>
                isPooled ? this.#transact(client, () => use(client), times) : use(client),
            ),
        );
    }

    all<Row>(sql: string, values?: SqlValues): Promise<Row[]> {
        return this.#sqlClient.all(sql, values);
    }

    get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined> {
        return this.#sqlClient.get(sql, values);
    }

    run(sql: string, values?: SqlValues): Promise<number> {
        return this.#sqlClient.run(sql, values);
    }

    async transaction<T>(work: (transaction: SqlClient) => Promise<T>, lock?: TransactionLock): Promise<T> {
        const limits = (lock === undefined ? undefined : patience[lock]) ?? this.#times;
        return this.#connections.with((client) =>
            this.#transact(
                client,
                async (sqlClient) => {
                    if (lock !== undefined) {
                        await sqlClient.run("SELECT pg_advisory_xact_lock(hashtextextended(:lock, 0))", { lock });
                    }
                    return work(sqlClient);
                },
                limits,
            ),
        );
    }

    async #transact<T>(
        client: PoolClient,
        work: (sqlClient: SqlClient) => Promise<T>,
        { statementMs, answerMs, silentMs }: TransactionTimes,
    ): Promise<T> {
        const sqlClient = new PostgresSqlClient((use) => use(client), answerMs);
        try {
            // The statements are written for this level, which need not be the role's default. A lost client must not
            // keep its locks: nobody else can end its transaction.
            await sqlClient.run(
                `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${statementMs};
                 SET LOCAL idle_in_transaction_session_timeout = ${silentMs}`,
            );
            const result = await work(sqlClient);
            await sqlClient.run("COMMIT");
            return result;
        } catch (error) {
            if (!(error instanceof ConnectionLostError)) {
                await sqlClient.run("ROLLBACK");
            }
            throw error;
        }
    }

    async now(): Promise<number> {
        const row = await this.get<{ now: number }>(
            "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now",
        );
        return Number(row?.now);
    }

    async assertWritable(): Promise<void> {
        await new PostgresSqlClient((use) => this.#checks.with(use)).run(writeNothing);
    }

    connections(): DatabaseConnections {
        const [most, check] = [this.#connections.count(), this.#checks.count()];
        return { used: most.used + check.used, idle: most.idle + check.idle, waiting: most.waiting + check.waiting };
    }

    closing(): void {
        this.#connections.closing();
        this.#checks.closing();
    }

    async close(): Promise<void> {
        await Promise.all([this.#connections.close(), this.#checks.close()]);
    }
}

const name = /(?<!:):([A-Za-z]\w*)/g;

/** The statement with `$1`, `$2` and so on in place of `:name`, and the values in this order. */
function withPositions(sql: string, values: SqlValues): { text: string; values: SqlValue[] } {
    const names: string[] = [];
    const text = sql.replace(name, (_whole, each: string) => {
        const known = names.indexOf(each);
        return `$${known === -1 ? names.push(each) : known + 1}`;
    });
    return { text, values: names.map((each) => values[each] ?? null) };
}
