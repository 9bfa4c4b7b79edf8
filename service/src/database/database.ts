/** A value that replaces `:name` in a statement, or that a column contains. */
export type SqlValue = string | number | null;

export type SqlValues = Readonly<Record<string, SqlValue>>;

/**
 * A list of strings for SQL's IN. The list begins with the empty string, which no column contains, because SQL does not
 * allow an empty list.
 */
export function listOf(prefix: string, texts: readonly string[]): { sql: string; values: SqlValues } {
    const values = Object.fromEntries(texts.map((text, place) => [`${prefix}${place}`, text]));
    return { sql: ["''", ...Object.keys(values).map((name) => `:${name}`)].join(", "), values };
}

/** Runs SQL statements, which must work in all supported databases, with parameters such as `:name`. */
export interface SqlClient {
    all<Row>(sql: string, values?: SqlValues): Promise<Row[]>;
    /** The first row. */
    get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined>;
    /** @returns how many rows it changed */
    run(sql: string, values?: SqlValues): Promise<number>;
}

/** The name of a lock that only one transaction in all processes holds at a time. */
export type TransactionLock =
    | "claim"
    | "agent claim"
    | "bundles"
    | "agent jobs"
    | "retention"
    | "schema"
    | "secrets"
    | "starts";

/** The connections of this process. */
export interface DatabaseConnections {
    used: number;
    idle: number;
    /** Statements that wait for a connection. */
    waiting: number;
}

/** The service's database. A statement outside of a transaction is its own transaction. */
export interface ServiceDatabase extends SqlClient {
    /**
     * Applies the changes of `work` completely or not at all; only statements of `transaction` belong to the
     * transaction. Transactions with the same lock run one after another. `work` may wait only for the database, which
     * ends a transaction whose client is silent for seconds.
     */
    transaction<T>(work: (transaction: SqlClient) => Promise<T>, lock?: TransactionLock): Promise<T>;
    /** The time in milliseconds since 1970. Absent for a database that has no clock but this machine's. */
    now?(): Promise<number>;
    /** Absent for a database without connections. */
    connections?(): DatabaseConnections;
    /** Waits for the open transactions. */
    close(): Promise<void>;
}

/** The database cannot be reached at the moment; whether the statement took effect is unknown. */
export class DatabaseUnavailableError extends Error {
    override readonly name = "DatabaseUnavailableError";
}
