import { type Socket } from "node:net";
import { type Client, type Pool, type PoolClient } from "pg";
import { endsWithin } from "../shared/ends-within.js";
import { type DatabaseConnections, DatabaseUnavailableError } from "./database.js";
import { ConnectionLostError, isPoolBusy, toServiceError } from "./postgres-errors.js";

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
    /** How long statements may take when the process closes, and how long a server may take to end a connection. */
    closeMs: number;
}

/** After a failover, a request waits at most for one timeout and one new connection: 12 seconds. */
export const defaultTimes: PostgresTimes = {
    ...{ connectMs: 4000, statementMs: 6000, answerMs: 8000, silentMs: 5000 },
    closeMs: 2000,
};

const idleMs = 60_000;
const keepAliveMs = 5000;

/** The type id of counts, sizes and times, which the driver would return as text. */
const int8 = 20;

/**
 * Connections to the host that accepts writes. Connects when the first statement runs. With
 * several hosts, each new connection looks for the host that accepts writes, beginning with the last known one.
 */
export class PostgresConnections {
    readonly #urls: readonly string[];
    readonly #times: PostgresTimes;
    readonly #max: number;
    #pool: Promise<Pool> | undefined;
    /** The pool after its first use. */
    #opened: Pool | undefined;
    /** The host of new connections. */
    #host = 0;
    readonly #states = new WeakMap<PoolClient, ConnectionState>();
    readonly #idle = new Set<PoolClient>();
    readonly #clients = new Set<PoolClient>();
    #isClosed = false;

    /** @param urls - one address for each host @param max - the number of connections at any time */
    constructor(urls: readonly string[], times: PostgresTimes, max: number) {
        this.#max = max;
        this.#urls = urls;
        this.#times = times;
    }

    /**
     * Runs `use` with a connection. If the connection is lost, other statements do not get a connection that was idle
     * at that time.
     *
     * @param isPooled - whether a pooler such as PgBouncer gives this connection to other clients, too
     */
    async with<T>(use: (client: PoolClient, isPooled: boolean) => Promise<T>): Promise<T> {
        if (this.#isClosed) {
            throw new DatabaseUnavailableError("The database cannot be reached any more, because the process ends.");
        }
        const pool = await (this.#pool ??= this.#open());
        const client = await this.#connect(pool);
        let broken: Error | undefined;
        try {
            return await use(client, this.#states.get(client)!.isPooled);
        } catch (error) {
            if (error instanceof ConnectionLostError) {
                broken = error;
                this.#leave(client);
            }
            throw error;
        } finally {
            client.release(broken);
        }
    }

    count(): DatabaseConnections {
        const { totalCount = 0, idleCount = 0, waitingCount = 0 } = this.#opened ?? {};
        return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    }

    /** Gives a server as long as a working one needs to answer, and closes all connections then. */
    closing(): void {
        setTimeout(() => this.#cut(), this.#times.answerMs).unref();
    }

    #cut(): void {
        this.#isClosed = true;
        this.#clients.forEach((client) => streamOf(client).destroy());
    }

    /** Ends the connections, and closes those whose server does not answer: they would delay the end of the process. */
    async close(): Promise<void> {
        this.#isClosed = true;
        const pool = await this.#pool?.catch(() => undefined);
        if (pool !== undefined && !(await endsWithin(pool.end(), this.#times.closeMs))) {
            this.#cut();
        }
    }

    async #open(): Promise<Pool> {
        // The driver is imported here, so that services with SQLite do not load it.
        const { default: pg } = await import("pg");
        const { connectMs, answerMs } = this.#times;
        const pool = new pg.Pool({
            max: this.#max,
            idleTimeoutMillis: idleMs,
            connectionTimeoutMillis: connectMs,
            query_timeout: answerMs,
            keepAlive: true,
            keepAliveInitialDelayMillis: keepAliveMs,
            application_name: "static-export",
            Client: this.#clientOf(pg.Client) as never,
            // Sends the settings after connecting, not with the startup message: PgBouncer refuses unknown parameters.
            onConnect: ((client: PoolClient) => this.#prepare(client)) as never,
            types: {
                getTypeParser: ((oid: number, format?: "text"): unknown =>
                    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as never,
            },
        });
        // Each connection has a listener, too.
        pool.on("error", () => undefined);
        pool.on("release", (error, client) => void (error ?? this.#idle.add(client)));
        pool.on("acquire", (client) => void this.#idle.delete(client));
        pool.on("remove", (client) => void this.#idle.delete(client));
        this.#opened = pool;
        return pool;
    }

    /** The driver's client, which connects to the current host. */
    #clientOf(Driver: typeof Client): unknown {
        const opening = (): { host: number; connectionString: string | undefined } => ({
            host: this.#host,
            connectionString: this.#urls[this.#host],
        });
        const opened = (client: PoolClient, host: number): void => {
            this.#states.set(client, { host, isPooled: false });
            this.#clients.add(client);
            client.once("end", () => this.#clients.delete(client));
            // Without a listener, losing a connection for which nobody waits would end the process.
            client.on("error", () => this.#leave(client));
        };
        const failed = (client: PoolClient, error: unknown): void => {
            if (this.#urls.length > 1 || toServiceError(error, true) instanceof ConnectionLostError) {
                this.#leave(client);
            }
        };
        return class extends (Driver as unknown as DriverClass) {
            constructor(options: object) {
                const { host, connectionString } = opening();
                super({ ...options, connectionString });
                opened(this as unknown as PoolClient, host);
            }

            override connect(callback: (error?: Error) => void): void {
                super.connect((error) => {
                    if (error) {
                        failed(this as unknown as PoolClient, error);
                    }
                    callback(error);
                });
            }
        };
    }

    /** Makes a new connection ready for statements. @throws if its host accepts no writes */
    async #prepare(client: PoolClient): Promise<void> {
        const { processID } = client as unknown as { processID: number };
        const { rows } = await client.query<{ pid: number; read_only: string }>(
            preparation(processID, this.#times.statementMs),
        );
        const [row] = rows;
        if (this.#urls.length > 1 && row?.read_only !== "off") {
            this.#leave(client);
            throw new ReadOnlyHostError("None of the database's hosts accepts writes.");
        }
        this.#states.get(client)!.isPooled = row?.pid !== processID;
    }

    async #connect(pool: Pool): Promise<PoolClient> {
        for (let left = this.#urls.length; ;) {
            try {
                const client = await pool.connect();
                // The pool notices the end of its idle connections only a moment later.
                if (!streamOf(client).destroyed) {
                    return client;
                }
                client.release(true);
            } catch (error) {
                left -= 1;
                if (left === 0 || isPoolBusy(error)) {
                    throw error instanceof ReadOnlyHostError ? error : toServiceError(error, true);
                }
            }
        }
    }

    /**
     * Ends the idle connections to the host of a lost connection, and connects to the next host from now on: connecting
     * to a lost machine takes seconds.
     */
    #leave(client: PoolClient): void {
        const { host } = this.#states.get(client)!;
        if (host !== this.#host) {
            return;
        }
        this.#host = (host + 1) % this.#urls.length;
        for (const each of this.#idle) {
            // Like the pool itself, closes the connection without a goodbye, which would wait for the lost machine to
            // answer.
            streamOf(each).destroy();
        }
    }
}

/** The driver's client as the pool uses it. */
type DriverClass = new (options: object) => { connect(callback: (error?: Error) => void): void };

interface ConnectionState {
    host: number;
    isPooled: boolean;
}

class ReadOnlyHostError extends DatabaseUnavailableError {
    override readonly name = "DatabaseUnavailableError";
}

/**
 * Changes the settings that the server supports: a time limit, the isolation of statements, and keepalives that detect
 * a lost client within seconds. Changes nothing behind a pooler such as PgBouncer, which gives the server's session to
 * other clients, too. Poolers report a different process id than the server's.
 */
function preparation(processId: number, statementMs: number): string {
    return `SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only') AS read_only, (
        SELECT count(set_config(wanted.name, wanted.value, false)) FROM (VALUES
            ('statement_timeout', '${statementMs}'), ('default_transaction_isolation', 'read committed'),
            ('client_connection_check_interval', '5000'),
            ('tcp_keepalives_idle', '5'), ('tcp_keepalives_interval', '3'), ('tcp_keepalives_count', '3'),
            ('tcp_user_timeout', '15000')
        ) AS wanted (name, value) JOIN pg_settings ON pg_settings.name = wanted.name
        WHERE pg_backend_pid() = ${processId}
    ) AS settings`;
}

function streamOf(client: PoolClient): Socket {
    return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
