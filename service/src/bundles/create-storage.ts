import { type ServiceLogger } from "../shared/logger.js";
import { type ServiceDatabase } from "../database/database.js";
import { StoredBundles } from "../store/stored-bundles.js";
import { Bucket } from "./bucket.js";
import { type BucketOptions, resolveBucket } from "./bucket-location.js";
import { BucketStorage } from "./bucket-storage.js";
import { type BundleStorage } from "./bundle-storage.js";
import { FolderStorage } from "./folder-storage.js";
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
    return bucket === undefined
        ? new FolderStorage(folders)
        : new BucketStorage({
              bucket: new Bucket(resolveBucket(bucket), onFailure),
              records: new StoredBundles(database, clock),
              logger,
          });
}
