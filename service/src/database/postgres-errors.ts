import { DatabaseRefusedError, DatabaseUnavailableError, RefusedValueError } from "./database.js";

/** The connection is unusable, and other connections to the same server probably are, too. */
export class ConnectionLostError extends DatabaseUnavailableError {}

/** SQLSTATE of a server that accepts no writes, such as one that a failover made a standby. */
const readOnly = "25006";

/** Failed connections, servers that stop, start or are read-only, interrupted transactions, and Node's own errors. */
const lost = /^(08\w{3}|57P0[1-5]|25006|25P03|E[A-Z_]+)$/;

/** The driver's own errors have no code. */
const driverLost = /^(Connection terminated|timeout expired|Query read timeout|Client has encountered)/;

/**
 * Statements that took too long, deadlocks, and a server without resources or with a failing disk: the connection itself
 * still works.
 */
const busy = /^(57014|55P03|40001|40P01|53\w{3}|58\w{3})$/;

/** What clients are told about these states. */
const reasons: Readonly<Record<string, string>> = { "53100": "the disk is full", [readOnly]: "it accepts no writes" };

/** Values out of range or in a wrong form, and broken rules of the tables. */
const refusedValue = /^2[23]\w{3}$/;

/** All connections of this process were in use. */
const poolBusy = /^timeout exceeded when trying to connect/;

export function isPoolBusy(error: unknown): boolean {
    return poolBusy.test((error as Error).message);
}

/** The server refuses the user, the password or the name of the database, or the user lacks a right. */
const refused = /^(28\w{3}|3D000|42501)$/;

/** A table or column that the schema lacks: all statements are known to be correct. */
const lacks = /^42(P01|703)$/;

const withoutTls = /does not support SSL connections/;

/** While connecting, the state of a database that accepts no connections (`ALLOW_CONNECTIONS false`). */
const closed = "55000";

/** The database's certificate is not from a trusted CA, or is for another host. */
const untrusted = /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|ERR_TLS_CERT_ALTNAME)/;

/**
 * @param isConnecting - whether the error ended an attempt to connect
 * @returns an error that says whether retrying helps; the driver's error if that is unknown
 */
export function toServiceError(error: unknown, isConnecting = false): unknown {
    const { code = "", message, syscall } = error as NodeJS.ErrnoException;
    // The driver reads the files that the address names when it connects.
    if (syscall === "open" || code === "EISDIR") {
        return new DatabaseRefusedError(
            `The database's address names a file that cannot be read (${message}). ` +
                "Check sslrootcert, sslcert and sslkey, and whether the file is mounted.",
            { cause: error },
        );
    }
    if (untrusted.test(code)) {
        // Node adds its own advice after a semicolon.
        const [reason] = message.split(";");
        return new DatabaseRefusedError(
            `The database's certificate is not trusted: ${reason} (${code}). Name the file of its CA in the database's ` +
                "address: sslmode=verify-full&sslrootcert=/path/ca.crt.",
            { cause: error },
        );
    }
    if (withoutTls.test(message)) {
        return new DatabaseRefusedError(
            "The database's server does not use TLS, which its address demands: turn TLS on there, or remove sslmode " +
                "from the address.",
            { cause: error },
        );
    }
    const isLost = lost.test(code) || driverLost.test(message);
    if (isLost || busy.test(code) || isPoolBusy(error)) {
        // The messages of system errors already contain the code.
        const reason = code === "" ? message : code.startsWith("E") ? code : `${code}: ${message}`;
        const what = code === readOnly ? "accepts no writes" : "cannot be reached";
        const Kind = isLost ? ConnectionLostError : DatabaseUnavailableError;
        const host = hostOf(error as FailedConnection);
        const advice = host === undefined ? "" : " Check its address, and that it is running.";
        return new Kind(`The database${host === undefined ? "" : ` at ${host}`} ${what} (${reason}).${advice}`, {
            cause: error,
            reason: reasons[code],
        });
    }
    if (refusedValue.test(code)) {
        return new RefusedValueError(`The database refuses a value: ${message} (${code}).`, {
            cause: error,
            breaksRule: code.startsWith("23"),
        });
    }
    if (refused.test(code) || (isConnecting && code === closed)) {
        return isConnecting
            ? new DatabaseRefusedError(
                  `The database refuses the connection: ${message} (${code}). Check its address and the rights of ` +
                      "its user.",
                  { cause: error },
              )
            : new DatabaseRefusedError(
                  `The database refuses a statement: ${message} (${code}). Check the rights of its user.`,
                  { cause: error },
              );
    }
    return lacks.test(code)
        ? new DatabaseRefusedError(
              `The database lacks a table or column of the service: ${message} (${code}). Undo the change that ` +
                  "removed it, or restore a backup.",
              { cause: error },
          )
        : error;
}

/** The fields of system errors about connections; a host with several addresses has an error for each. */
interface FailedConnection {
    readonly hostname?: string;
    readonly address?: string;
    readonly port?: number;
    readonly errors?: readonly FailedConnection[];
}

function hostOf({ hostname, address, port, errors: [first] = [] }: FailedConnection): string | undefined {
    const host = hostname ?? (address !== undefined && port !== undefined ? `${address}:${port}` : undefined);
    return host ?? (first === undefined ? undefined : hostOf(first));
}
