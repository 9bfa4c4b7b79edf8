/** Logs what happens to jobs, and unexpected errors; never a key, a link or its signature. */
export interface ServiceLogger {
    info(message: string): void;
    error(message: string): void;
}

export const silentLogger: ServiceLogger = { info: () => undefined, error: () => undefined };
