import { addCommand } from "@pulumi-static-export/contract/package-manager";

type Resolve = (name: string) => unknown;

/**
 * Names the missing packages that only a mirror needs, as a sentence without a full stop; undefined if none are
 * missing.
 */
export function findMissingAwsSdk(resolve: Resolve = require.resolve): string | undefined {
    return describeMissing("a mirror", ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"], resolve);
}

/** Names the missing packages that only a site in a bucket needs, in the same form. */
export function findMissingS3Client(resolve: Resolve = require.resolve): string | undefined {
    return describeMissing("a bucket", ["@aws-sdk/client-s3"], resolve);
}

/** Names the missing packages that only a container in Azure Blob Storage needs, in the same form. */
export function findMissingAzureSdk(resolve: Resolve = require.resolve): string | undefined {
    return describeMissing("a container of Azure", ["@azure/storage-blob"], resolve);
}

function describeMissing(what: string, packages: readonly string[], resolve: Resolve): string | undefined {
    const missing = packages.filter((name) => !isInstalled(name, resolve));
    return missing.length === 0
        ? undefined
        : `${what} needs ${missing.join(" and ")}. Run \`${addCommand(process.cwd(), missing)}\` in the folder of ` +
              "your Pulumi program";
}

function isInstalled(name: string, resolve: Resolve): boolean {
    try {
        resolve(name);
        return true;
    } catch {
        return false;
    }
}
