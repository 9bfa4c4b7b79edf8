import type { StoredFile } from "../records/inventory.js";

/** A file in a listing. */
export interface ListedFile {
    readonly path: string;
    readonly sizeBytes: number;
    /** Differs between two versions of the file. */
    readonly tag: string;
    /** Other paths that the disk has as the same file, because it ignores the case of names. */
    readonly aliases?: readonly string[];
}

/** The paths that a listing has to contain, so that a target can skip folders of others. */
export interface WantedPaths {
    has(path: string): boolean;
    /** Whether a folder, which ends with a slash, contains a wanted path. */
    hasBelow(folder: string): boolean;
    /** The first wanted path, or record of a folder with wanted paths, after a path in the order of UTF-8 bytes. */
    nextAfter(path: string): string | undefined;
    /** The wanted paths and folders that a disk which ignores the case of names has under this name. */
    spellingsOf(path: string): readonly string[];
}

/** A place that contains another place. */
export interface OuterPlace {
    readonly reader: SiteReader;
    /** The path of the inner place in the outer one, which ends with a slash. */
    readonly folder: string;
}

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
    /** Writes a small file that readers do not request. @returns the tag of the new version, as in a listing */
    write(path: string, content: Buffer, signal: AbortSignal): Promise<string>;
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
     * @returns the tag of the new version
     * @throws PublishError if its content has another digest
     */
    send(path: string, localPath: string, file: StoredFile, signal: AbortSignal): Promise<string>;
    /**
     * Refuses a site of which the target would have two files under one name, or to which it cannot switch readers.
     * @param paths - of the site's files
     * @param prefix - the folder of the release, with which the paths begin; empty if readers need no switch
     * @throws PublishError
     */
    refuseUnfit?(paths: Iterable<string>, prefix: string): Promise<void>;
    /** Copies within the target. @returns the tag of the new version */
    copy(from: string, to: string, file: StoredFile, signal: AbortSignal): Promise<string>;
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
    /** Lists the files: all, or at least the wanted ones and the records of the folders in which they are. */
    list(signal: AbortSignal, wanted?: WantedPaths): AsyncIterable<ListedFile>;
    /** Returns the places that contain this place, the nearest first. */
    outerPlaces(): Promise<readonly OuterPlace[]>;
    /** Returns the place at a folder of this place. */
    innerPlace(folder: string): SiteReader;
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
export type SiteReader = Pick<
    SiteTarget,
    "address" | "recordAddress" | "hasHeaders" | "read" | "list" | "outerPlaces" | "innerPlace"
>;
