export { PublishError, RecordChangedError } from "./errors/publish-error.js";
export { createS3Advice, StorageError } from "./errors/storage-error.js";
export { type Published, publishSite } from "./publish-site.js";
export { type Cleaned, type CleanRequest, cleanSite } from "./clean-site.js";
export { type Unpublished, type UnpublishRequest, unpublishSite } from "./unpublish-site.js";
export { type Phase, type Step, stepsOfSite } from "./plan/plan.js";
export { findConflict } from "./site/find-conflict.js";
export { releaseIdOf, releasesOf } from "./release/find-release.js";
export { readRecord } from "./plan/found-files.js";
export { findDrift } from "./plan/look.js";
export { type Release, type SiteRecord } from "./records/site-record.js";
export { type LeaseTimes } from "./run/lease.js";
export {
    type Addresses,
    defaultSettings,
    publishRules,
    type PublishSettings,
    purgeRules,
    type Switching,
} from "./settings/publish-settings.js";
export { type PublishRequest } from "./release/publish-request.js";
export { type PublishProgress } from "./run/run-plan.js";
export { contentTypeOf } from "./site/file-headers.js";
export { measureFiles, type OpenedSite } from "./site/read-site.js";
export { addressOf } from "./site/address-of.js";
export { nameSome } from "./site/name-some.js";
export { type PurgeInputs, purgeSite } from "./purge/purge-site.js";
export { type AzureCredentials, type ContainerLocation } from "./targets/azure-container.js";
export { AzureTarget } from "./targets/azure-target.js";
export { addressOfFolder } from "./targets/folder-files.js";
export { FolderTarget } from "./targets/folder-target.js";
export { bucketName } from "@pulumi-static-export/contract/bucket";
export { containerName, parseTarget, type TargetAddress } from "./targets/parse-target.js";
export { isBelowRecords } from "./records/site-record.js";
export { type BucketCredentials, S3Bucket } from "./targets/s3-bucket.js";
export { type BucketLocation, S3Target } from "./targets/s3-target.js";
export { type RefusedRemoval, type SiteTarget } from "./targets/site-target.js";
