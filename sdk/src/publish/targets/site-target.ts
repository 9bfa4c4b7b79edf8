import type { StoredFile } from "../records/inventory.js";

/** A place that serves files: a bucket, or a folder of this machine. Paths are relative to the site's root. */
export interface SiteTarget {
    /** For messages, ending in a slash: `s3://bucket/prefix/`. */
    readonly address: string;
    /** Where the record is, for messages. */
    readonly recordAddress: string;
    /** Whether headers are stored with the files. */
    readonly hasHeaders: boolean;
    /** How many requests may run at once. */
    readonly concurrency: number;
    /** The content of a small file; undefined if there is none. */
    read(path: string, signal: AbortSignal): Promise<{ content: Buffer; version: string } | undefined>;
    /** Writes a small file that no reader needs. */
    write(path: string, content: Buffer, signal: AbortSignal): Promise<void>;
    /**
     * Writes the record if it still has the version that was read, or is still absent.
     *
     * @param isConditional - false where the target has no conditional writes
     * @returns the new version
     * @throws RecordChangedError
     */
    writeRecord(
        content: Buffer,
        version: string | undefined,
        isConditional: boolean,
        signal: AbortSignal,
    ): Promise<string>;
    /** Whether a write that expects another version of the record is refused. May write the same content again. */
    findConditionalWrites(content: Buffer, signal: AbortSignal): Promise<boolean>;
    /** Sends a local file, which appears whole or not at all. @throws PublishError if its content has another digest */
    send(path: string, localPath: string, file: StoredFile, signal: AbortSignal): Promise<void>;
    /** Copies within the target. */
    copy(from: string, to: string, file: StoredFile, signal: AbortSignal): Promise<void>;
    /** Succeeds also where a file does not exist. */
    remove(paths: readonly string[], signal: AbortSignal): Promise<void>;
    /** All files, with their sizes. */
    list(signal: AbortSignal): AsyncIterable<{ path: string; sizeBytes: number }>;
    /** Shows readers the files of another folder, in one step, where they do not look the folder up themselves. */
    switchTo?(folder: string): Promise<void>;
    close(): void;
}
