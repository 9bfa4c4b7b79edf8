/** What a statement takes for `:name` and yields in a column. */
export type SqlValue = string | number | null;

export type SqlValues = Readonly<Record<string, SqlValue>>;

/** Runs statements. Their SQL is the part that all supported databases share, with parameters written as `:name`. */
export interface SqlRunner {
    all<Row>(sql: string, values?: SqlValues): Promise<Row[]>;
    /** The first row. */
    get<Row>(sql: string, values?: SqlValues): Promise<Row | undefined>;
    /** @returns how many rows it changed */
    run(sql: string, values?: SqlValues): Promise<number>;
}

/** The service's database. A statement that is not in a transaction is one of its own. */
export interface ServiceDatabase extends SqlRunner {
    /** Runs what `work` does with `transaction` completely or not at all; only statements of `transaction` belong to it. */
    transaction<T>(work: (transaction: SqlRunner) => Promise<T>): Promise<T>;
    /** Waits for the open transaction. */
    close(): Promise<void>;
}
