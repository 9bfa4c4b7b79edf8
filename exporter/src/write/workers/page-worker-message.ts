import { type AnchorLink } from "../../plan/links/anchor-check.js";
import { type WrittenGroup } from "../pages/page-group-writer.js";
import { type PackedSite } from "./packed-site.js";

/** The data with which a worker starts. */
export interface PageWorkerData {
    /** The number of pages that the worker has begun, in shared memory. */
    readonly begun: Int32Array;
}

/** Begins a site; groups of its pages follow, and then `EndOfSite`. */
export interface SiteOfWorker {
    readonly site: PackedSite;
    /** The files that have warnings before the first page is written. */
    readonly warnedFiles: readonly string[];
    /** The cache of pages, which a worker only reads. */
    readonly cache: { readonly cacheDir: string; readonly domain: string } | undefined;
}

/** A group of pages to write. */
export interface GroupRequest {
    /** The number of the part. */
    readonly part: number;
    /** The positions of the pages in the part's plan. */
    readonly numbers: readonly number[];
    /** The text of each page. */
    readonly sources: readonly string[];
}

/** After its answer, the worker has no file open, and waits for another site. */
export type EndOfSite = "end of site";

export type MessageToWorker = SiteOfWorker | GroupRequest | EndOfSite;

/** The answer to a request, or to the end of a site; undefined if the worker could not write the pages. */
export type GroupAnswer = GroupOfWorker | undefined;

/** A group of pages that a worker has written. */
export interface GroupOfWorker extends Omit<WrittenGroup, "anchors"> {
    readonly anchors: {
        readonly ids: ArrayLike<number>;
        readonly targets: ArrayLike<number>;
        readonly links: readonly AnchorLink[];
    };
    /** The files in their order, each with the number of its part and its length in bytes. */
    readonly files: readonly (readonly [part: number, file: string, length: number])[];
    /** The content of all files. */
    readonly bytes: Uint8Array;
    /** The entries for the cache in their order; without a length, an entry of the last export stays. */
    readonly entries: readonly (readonly [key: string, length: number | undefined])[];
    /** The content of all entries. */
    readonly entryBytes: Uint8Array;
    /** The number of pages from the cache. */
    readonly reusedCount: number;
}
