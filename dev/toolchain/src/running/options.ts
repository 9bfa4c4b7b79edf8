/** Options of every function that may take minutes. */
export interface EnsureOptions {
    /** Receives whole lines for the user. @default writes them to the standard error stream */
    readonly onProgress?: (line: string) => void;
    /** Ends the work early: stops child processes, removes partial results, and throws the signal's reason. */
    readonly signal?: AbortSignal;
}

/** Reports progress unless the caller turns it off, because minutes of silence look like a hang. */
export function reporter({ onProgress }: EnsureOptions): (line: string) => void {
    return onProgress ?? ((line) => process.stderr.write(`${line}\n`));
}
