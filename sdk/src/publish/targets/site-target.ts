import type { StoredFile } from "../records/inventory.js";

/** Files that a target refused to remove, and the first reason. */
export interface RefusedRemoval {
    readonly paths: readonly string[];
    readonly error: Error;
}

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
    /**
     * Refuses a site of which the target would have two files under one name, or to which it cannot switch readers.
     * @param paths - of the site's files
     * @param prefix - the folder of the release, with which the paths begin; empty if readers need no switch
     * @throws PublishError
     */
    refuseUnfit?(paths: Iterable<string>, prefix: string): Promise<void>;
    /** Copies within the target. */
    copy(from: string, to: string, file: StoredFile, signal: AbortSignal): Promise<void>;
    /**
     * Also succeeds if a file does not exist.
     *
     * @param live - the files that stay, which a disk may not tell from others by their names
     * @returns the files that the target refused to remove
     */
    remove(
        paths: readonly string[],
        signal: AbortSignal,
        live?: { keys(): Iterable<string> },
    ): Promise<RefusedRemoval | undefined>;
    /** Lists all files, with their sizes. */
    list(signal: AbortSignal): AsyncIterable<{ path: string; sizeBytes: number }>;
    /** Removes the record, after all files of the site. */
    removeRecord(signal: AbortSignal): Promise<RefusedRemoval | undefined>;
    /**
     * Switches readers to another folder in one step, if the host does not look up the folder itself; undefined:
     * readers get nothing.
     */
    switchTo?(folder: string | undefined): Promise<void>;
    close(): void;
}

/** A target as planning sees it: nothing that a plan or a dry run calls can change the target. */
export type SiteReader = Pick<SiteTarget, "address" | "recordAddress" | "hasHeaders" | "read" | "list">;
