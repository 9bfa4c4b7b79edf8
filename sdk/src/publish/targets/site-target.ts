import type { StoredFile } from "../records/inventory.js";

/** A place that serves files: a bucket, or a folder of this machine. Paths are relative to the site's root. */
export interface SiteTarget {
    /** The address for messages, which ends with a slash: `s3://bucket/prefix/`. */
    readonly address: string;
    /** The location of the record, for messages. */
    readonly recordAddress: string;
    /** Whether headers are stored with the files. */
    readonly hasHeaders: boolean;
    /** How many requests may run at the same time. */
    readonly concurrency: number;
    /** Reads a small file; returns undefined if the file does not exist. */
    read(path: string, signal: AbortSignal): Promise<{ content: Buffer; version: string } | undefined>;
    /** Writes a small file that readers do not request. */
    write(path: string, content: Buffer, signal: AbortSignal): Promise<void>;
    /**
     * Writes the record if it still has the version that was read, or is still absent.
     *
     * @param isConditional - false if the target does not support conditional writes
     * @returns the new version
     * @throws RecordChangedError
     */
    writeRecord(
        content: Buffer,
        version: string | undefined,
        isConditional: boolean,
        signal: AbortSignal,
    ): Promise<string>;
    /**
     * Checks whether the target refuses a write that expects another version of the record. This check may write the
     * same content again.
     */
    findConditionalWrites(content: Buffer, signal: AbortSignal): Promise<boolean>;
    /**
     * Sends a local file, which appears complete or not at all.
     * @throws PublishError if its content has another digest
     */
    send(path: string, localPath: string, file: StoredFile, signal: AbortSignal): Promise<void>;
    /** Copies within the target. */
    copy(from: string, to: string, file: StoredFile, signal: AbortSignal): Promise<void>;
    /** Also succeeds if a file does not exist. */
    remove(paths: readonly string[], signal: AbortSignal): Promise<void>;
    /** Lists all files, with their sizes. */
    list(signal: AbortSignal): AsyncIterable<{ path: string; sizeBytes: number }>;
    /** Removes the record, after all files of the site. */
    removeRecord(signal: AbortSignal): Promise<void>;
    /**
     * Switches readers to another folder in one step, if the host does not look up the folder itself; undefined:
     * readers get nothing.
     */
    switchTo?(folder: string | undefined): Promise<void>;
    close(): void;
}
