/** The subject of a log line, for searches. */
export interface LogFields {
    job?: string;
    /** The site of the job. */
    domain?: string;
    request?: string;
    /** The name of the admin API key that the request used. */
    key?: string;
    /** The key's id; absent for the service's own key. */
    keyId?: string;
    /** The client's address, for what people and keys did. */
    address?: string;
    /** What a person or key did; only lines of the audit log have it. */
    audit?: string;
    /** The commit that a job exports. */
    sourceRef?: string;
}

/** Logs job events and unexpected errors; never a key, a link or its signature. */
export interface ServiceLogger {
    info(message: string, fields?: LogFields): void;
    error(message: string, fields?: LogFields): void;
}

export const silentLogger: ServiceLogger = { info: () => undefined, error: () => undefined };
