import { type ServiceDatabase } from "../database/database.js";
import { type ServiceLogger } from "../shared/logger.js";
import { AgentLogs } from "./agent-logs.js";
import { type BucketOptions, resolveBucket } from "./bucket-options.js";
import { type BundleStorage } from "./bundle-storage.js";
import { BundlesInBucket, StoredBundles } from "./bundles-in-bucket.js";
import { BundlesInFolder } from "./bundles-in-folder.js";
import { PageCacheRecords } from "./page-cache-records.js";
import { PageCaches } from "./page-caches.js";
import { S3Bucket } from "./s3-bucket.js";
import { type StorageFolders } from "./storage-folders.js";

interface CreateStorageOptions {
    /** Undefined for storage in the folder. */
    bucket: BucketOptions | undefined;
    folders: Pick<StorageFolders, "bundles">;
    database: ServiceDatabase;
    clock: () => number;
    /** Called with the S3 operation of a failed request. */
    onFailure?: (operation: string) => void;
    logger: ServiceLogger;
}

/** The storage of a process, except for the database. */
export interface Storage {
    bundles: BundleStorage;
    /** Undefined if all processes share a folder for caches. */
    caches: PageCaches | undefined;
    /** Undefined if agent workers keep their logs in their folders. */
    agentLogs: AgentLogs | undefined;
    /** Sends no request. @throws ServiceOptionsError if a library that the storage needs is not installed */
    open(): Promise<void>;
    close(): Promise<void>;
}

/** @throws ServiceOptionsError */
export function createStorage(options: CreateStorageOptions): Storage {
    const { folders, database, clock, onFailure, logger } = options;
    if (options.bucket === undefined) {
        const nothing = (): Promise<void> => Promise.resolve();
        const bundles = new BundlesInFolder(folders);
        return { bundles, caches: undefined, agentLogs: undefined, open: nothing, close: nothing };
    }
    const bucket = new S3Bucket(resolveBucket(options.bucket), onFailure);
    return {
        bundles: new BundlesInBucket({ bucket, records: new StoredBundles(database, clock), logger }),
        caches: new PageCaches({ bucket, records: new PageCacheRecords(database, clock), logger }),
        agentLogs: new AgentLogs(bucket, database, clock),
        open: () => bucket.open(),
        close: () => bucket.close(),
    };
}
