import { ServiceOptionsError } from "../shared/service-options-error.js";
import { DatabaseUnavailableError } from "./database.js";

/** The connection is unusable, and other connections to the same server probably are, too. */
export class ConnectionLostError extends DatabaseUnavailableError {}

/** SQLSTATE of a server that accepts no writes, such as one that a failover made a standby. */
const readOnly = "25006";

/** Failed connections, servers that stop, start or are read-only, interrupted transactions, and Node's own errors. */
const lost = /^(08\w{3}|57P0[1-5]|25006|25P03|E[A-Z_]+)$/;

/** The driver's own errors have no code. */
const driverLost = /^(Connection terminated|timeout expired|Query read timeout|Client has encountered)/;

/** Statements that took too long, deadlocks, and a server without resources: the connection itself still works. */
const busy = /^(57014|55P03|40001|40P01|53\w{3})$/;

/** All connections of this process were in use. */
const poolBusy = /^timeout exceeded when trying to connect/;

/** The server rejects the user, the password or the database name: retrying does not help. */
const refused = /^(28\w{3}|3D000)$/;

/** @returns an error that says whether retrying helps; the driver's error if that is unknown */
export function toServiceError(error: unknown): unknown {
    const { code = "", message } = error as Error & { code?: string };
    const isLost = lost.test(code) || driverLost.test(message);
    if (isLost || busy.test(code) || poolBusy.test(message)) {
        // The messages of system errors already contain the code.
        const reason = code === "" ? message : code.startsWith("E") ? code : `${code}: ${message}`;
        const what = code === readOnly ? "accepts no writes" : "cannot be reached";
        const Kind = isLost ? ConnectionLostError : DatabaseUnavailableError;
        const host = hostOf(error as FailedConnection);
        const advice = host === undefined ? "" : " Check its address, and that it runs.";
        return new Kind(`The database${host === undefined ? "" : ` at ${host}`} ${what} (${reason}).${advice}`, {
            cause: error,
        });
    }
    return refused.test(code)
        ? new ServiceOptionsError(`The database refuses the connection: ${message} (${code}). Check its address.`)
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
