/** The subject of a line, for log searches. */
export interface LogFields {
    job?: string;
    request?: string;
    /** The name of the request's admin API key. */
    key?: string;
    /** Its id; absent for the key that the service was started with. */
    keyId?: string;
    /** The commit that a job exports. */
    sourceRef?: string;
}

/** Logs what happens to jobs, and unexpected errors; never a key, a link or its signature. */
export interface ServiceLogger {
    info(message: string, fields?: LogFields): void;
    error(message: string, fields?: LogFields): void;
}

export const silentLogger: ServiceLogger = { info: () => undefined, error: () => undefined };
