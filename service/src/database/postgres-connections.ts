import { type Socket } from "node:net";
import { type Pool, type PoolClient } from "pg";
import { type DatabaseConnections, DatabaseUnavailableError } from "./database.js";
import { ConnectionLostError, toServiceError } from "./postgres-errors.js";

export interface PostgresTimes {
    /** A host that accepts no connection within this time is considered unreachable. */
    connectMs: number;
    /** The server ends a statement after this time. */
    statementMs: number;
    /**
     * A connection without an answer for this long is considered dead. This time is longer than `statementMs`, within
     * which a working server answers.
     */
    answerMs: number;
    /** The server ends a transaction whose client is silent for this long, and frees its locks. */
    silentMs: number;
}

/** After a failover, a request waits at most for one timeout and one new connection: 12 seconds. */
export const defaultTimes: PostgresTimes = { connectMs: 4000, statementMs: 6000, answerMs: 8000, silentMs: 5000 };

/** Six APIs and six workers use 72 connections: PostgreSQL allows 100 by default. */
const maxConnections = 6;
const idleMs = 60_000;
const keepAliveMs = 5000;

/** The type id of counts, sizes and times, which the driver would return as text. */
const int8 = 20;

/** Connections to the host that accepts writes. Connects when the first statement runs. */
export class PostgresConnections {
    readonly #urls: readonly string[];
    readonly #times: PostgresTimes;
    readonly #pools = new Set<Pool>();
    #current: Promise<Pool> | undefined;
    /** The host that is tried first. */
    #first = 0;

    /** @param urls - one address for each host */
    constructor(urls: readonly string[], times: PostgresTimes) {
        this.#urls = urls;
        this.#times = times;
    }

    /**
     * Runs `use` with a connection. If the connection is lost, other statements do not get a connection that was idle
     * at that time.
     */
    async with<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
        const pool = await this.#pool();
        let client: PoolClient | undefined;
        let broken: Error | undefined;
        // Without a listener, losing a connection in use would end the process. The running statement also reports the
        // loss.
        const onError = (error: Error): void => void (broken = error);
        try {
            client = await connect(pool);
            client.on("error", onError);
            return await use(client);
        } catch (error) {
            if (error instanceof ConnectionLostError) {
                broken = error;
                this.#drop(pool);
            }
            throw error;
        } finally {
            client?.off("error", onError);
            client?.release(broken);
        }
    }

    /** The connections of all pools. */
    count(): DatabaseConnections {
        const pools = [...this.#pools];
        const sum = (of: (pool: Pool) => number): number => pools.reduce((total, pool) => total + of(pool), 0);
        return {
            used: sum(({ totalCount, idleCount }) => totalCount - idleCount),
            idle: sum(({ idleCount }) => idleCount),
            waiting: sum(({ waitingCount }) => waitingCount),
        };
    }

    async close(): Promise<void> {
        await this.#current?.catch(() => undefined);
        await Promise.all([...this.#pools].map((pool) => pool.end()));
    }

    async #pool(): Promise<Pool> {
        return (this.#current ??= this.#open().catch((error: unknown) => {
            this.#current = undefined;
            throw error;
        }));
    }

    /** Opens a pool of connections; with several hosts, to the first host that accepts writes. */
    async #open(): Promise<Pool> {
        let failed: unknown;
        const hosts = this.#urls.length;
        for (const [index, url] of [...this.#urls.slice(this.#first), ...this.#urls.slice(0, this.#first)].entries()) {
            const pool = await this.#createPool(url);
            if (hosts === 1) {
                return pool;
            }
            try {
                await assertWritable(pool);
                // If this host is lost, the others are tried first: connecting to a lost machine takes seconds.
                this.#first = (this.#first + index + 1) % hosts;
                return pool;
            } catch (error) {
                failed = error;
            }
            this.#pools.delete(pool);
            await pool.end();
        }
        throw failed;
    }

    async #createPool(url: string): Promise<Pool> {
        // The driver is imported here, so that services with SQLite do not load it.
        const { default: pg } = await import("pg");
        const { connectMs, statementMs, answerMs } = this.#times;
        const pool = new pg.Pool({
            connectionString: url,
            max: maxConnections,
            idleTimeoutMillis: idleMs,
            connectionTimeoutMillis: connectMs,
            query_timeout: answerMs,
            keepAlive: true,
            keepAliveInitialDelayMillis: keepAliveMs,
            application_name: "static-export",
            // Sends the settings after connecting, not with the startup message: PgBouncer refuses unknown parameters.
            onConnect: ((client: PoolClient) => client.query(settings(statementMs))) as never,
            types: {
                getTypeParser: ((oid: number, format?: "text"): unknown =>
                    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as never,
            },
        });
        // The next statement replaces an idle connection that is lost; with several hosts, perhaps with a connection to
        // another host.
        pool.on("error", () => this.#drop(pool));
        const idle = new Set<PoolClient>();
        idleOf.set(pool, idle);
        pool.on("release", (error, client) => void (error ?? idle.add(client)));
        pool.on("acquire", (client) => void idle.delete(client));
        pool.on("remove", (client) => void idle.delete(client));
        this.#pools.add(pool);
        return pool;
    }

    /**
     * Ends the idle connections of a pool that has lost a connection, and looks for the host that accepts writes again.
     */
    #drop(pool: Pool): void {
        if (this.#urls.length > 1) {
            this.#current = undefined;
        }
        for (const client of idleOf.get(pool) ?? []) {
            // Like the pool itself, closes the connection without a goodbye, which would wait for the lost machine to
            // answer.
            streamOf(client).destroy();
        }
    }
}

const idleOf = new WeakMap<Pool, Set<PoolClient>>();

/**
 * Changes the settings that the server supports: a time limit, and keepalives that detect a lost client within seconds.
 */
function settings(statementMs: number): string {
    return `SELECT set_config(wanted.name, wanted.value, false) FROM (VALUES
        ('statement_timeout', '${statementMs}'), ('client_connection_check_interval', '5000'),
        ('tcp_keepalives_idle', '5'), ('tcp_keepalives_interval', '3'), ('tcp_keepalives_count', '3'),
        ('tcp_user_timeout', '15000')
    ) AS wanted (name, value) JOIN pg_settings ON pg_settings.name = wanted.name`;
}

function streamOf(client: PoolClient): Socket {
    return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

async function connect(pool: Pool): Promise<PoolClient> {
    try {
        // The pool notices the end of its idle connections only a moment later.
        for (;;) {
            const client = await pool.connect();
            if (!streamOf(client).destroyed) {
                return client;
            }
            client.release(true);
        }
    } catch (error) {
        throw toServiceError(error, true);
    }
}

async function assertWritable(pool: Pool): Promise<void> {
    const client = await connect(pool);
    try {
        const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
        if (rows[0]?.transaction_read_only !== "off") {
            throw new DatabaseUnavailableError("None of the database's hosts accepts writes.");
        }
    } catch (error) {
        throw error instanceof DatabaseUnavailableError ? error : toServiceError(error);
    } finally {
        client.release(true);
    }
}
