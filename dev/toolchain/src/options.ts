/** What every function that may take minutes accepts. */
export interface EnsureOptions {
    /** Gets whole lines for a person to read. @default writes them to the standard error stream */
    readonly onProgress?: (line: string) => void;
    /** Ends the work early: child processes are stopped, nothing half-made stays behind, the reason is thrown. */
    readonly signal?: AbortSignal;
}

/** Minutes without a word look like a hang, so silence has to be asked for. */
export function reporter({ onProgress }: EnsureOptions): (line: string) => void {
    return onProgress ?? ((line) => process.stderr.write(`${line}\n`));
}
