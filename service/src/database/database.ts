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

/** Changes nothing, but fails on a database that accepts no writes. */
export const writeNothing = "UPDATE retention_rounds SET ended_at = ended_at WHERE id = 0";

/** A pattern for SQL's LIKE that finds texts which contain another one; its escape character is a backslash. */
export function likeOf(text: string): string {
    return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** As `likeOf`, for texts of people: the databases change the case of letters other than English ones in different ways. */
export function foundBy(text: string): string {
    return likeOf(text).replace(/[^\0-\x7f]/gu, (letter) => (letter === letter.toUpperCase() ? letter : "_"));
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
    /**
     * Resolves if the database accepts writes. Does not wait behind other statements, as far as the database allows it:
     * a busy process is not one whose database is away.
     */
    assertWritable(): Promise<void>;
    /** The time in milliseconds since 1970. Absent for a database that has no clock but this machine's. */
    now?(): Promise<number>;
    /** Absent for a database without connections. */
    connections?(): DatabaseConnections;
    /**
     * Called when the process ends: statements that a server does not answer within seconds fail, and later ones fail
     * at once. Absent for a database without connections.
     */
    closing?(): void;
    /** Waits for the open transactions. */
    close(): Promise<void>;
}

/** The database cannot be used at the moment; whether the statement took effect is unknown. Trying again helps. */
export class DatabaseUnavailableError extends Error {
    override readonly name = "DatabaseUnavailableError";
    /** What clients are told, such as `the disk is full`; undefined for a database that cannot be reached. */
    readonly reason: string | undefined;

    constructor(message: string, { reason, ...options }: { cause?: unknown; reason?: string | undefined } = {}) {
        super(message, options);
        this.reason = reason;
    }
}

/**
 * The database refuses this process: its operator closed it or withdrew a right, or its address is wrong. Ends a start;
 * a process that runs waits, because an operator can undo it.
 */
export class DatabaseRefusedError extends DatabaseUnavailableError {
    override readonly name = "DatabaseUnavailableError";

    constructor(message: string, options: { cause?: unknown } = {}) {
        super(message, { ...options, reason: "it refuses the service" });
    }
}

/** Whether the same statement may succeed later: all other errors come again. */
export function isTemporary(error: unknown): boolean {
    return error instanceof DatabaseUnavailableError;
}

/** The content of the database is damaged, or is not the service's. */
export class DatabaseDamagedError extends Error {
    override readonly name = "DatabaseDamagedError";
}

/** The database never accepts the values of this statement, so trying again does not help. */
export class RefusedValueError extends Error {
    override readonly name = "RefusedValueError";
    /** A value that no column accepts came with the request; a broken rule of a table is the service's mistake. */
    readonly statusCode: 400 | 500;

    constructor(message: string, { breaksRule = false, ...options }: { cause?: unknown; breaksRule?: boolean } = {}) {
        super(message, options);
        this.statusCode = breaksRule ? 500 : 400;
    }
}

/**
 * Refuses in all databases what one of them cannot store: all numbers are integers, and text has no NUL.
 *
 * @throws RefusedValueError
 */
export function assertStorable(values: SqlValues): void {
    for (const [name, value] of Object.entries(values)) {
        if (typeof value === "number" && !Number.isSafeInteger(value)) {
            throw new RefusedValueError(
                `The value of ${name} is not a whole number within the limits of the database.`,
            );
        }
        if (typeof value === "string" && value.includes("\0")) {
            throw new RefusedValueError("The request contains the character NUL, which cannot be stored or found.");
        }
    }
}
