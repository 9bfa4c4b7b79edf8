import { type ServiceLogger } from "../shared/logger.js";
import { type ServiceDatabase } from "../database/database.js";
import { AgentLogRecords } from "./agent-log-records.js";
import { PageCacheRecords } from "./page-cache-records.js";
import { StoredBundles } from "./stored-bundles.js";
import { AgentLogs } from "./agent-logs.js";
import { Bucket } from "./s3-bucket.js";
import { type BucketOptions, resolveBucket } from "./bucket-options.js";
import { BucketStorage } from "./bundles-in-bucket.js";
import { type BundleStorage } from "./bundle-storage.js";
import { FolderStorage } from "./bundles-in-folder.js";
import { PageCaches } from "./page-caches.js";
import { type StorageFolders } from "./storage-folders.js";

export interface CreateStorageOptions {
    /** Undefined for the folder. */
    bucket: BucketOptions | undefined;
    folders: Pick<StorageFolders, "bundles">;
    database: ServiceDatabase;
    clock: () => number;
    /** Gets the S3 operation of a request that failed. */
    onFailure?: (operation: string) => void;
    logger: ServiceLogger;
}

/** @throws ServiceOptionsError */
export function createStorage({
    bucket,
    folders,
    database,
    clock,
    onFailure,
    logger,
}: CreateStorageOptions): BundleStorage {
    if (bucket === undefined) {
        return new FolderStorage(folders);
    }
    const opened = new Bucket(resolveBucket(bucket), onFailure);
    return new BucketStorage({
        bucket: opened,
        records: new StoredBundles(database, clock),
        caches: new PageCaches({ bucket: opened, records: new PageCacheRecords(database, clock), logger }),
        logs: new AgentLogs(opened, new AgentLogRecords(database, clock)),
        logger,
    });
}
