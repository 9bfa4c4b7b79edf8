import * as authorization from "@pulumi/azure-native/authorization";
import * as cdn from "@pulumi/azure-native/cdn";
import * as resources from "@pulumi/azure-native/resources";
import * as storage from "@pulumi/azure-native/storage";
import * as pulumi from "@pulumi/pulumi";
import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");
const pin = config.get("pin");

const bundle = new StaticExportBundle("docs", { domain, version: config.require("version"), renewLink: false });

const group = new resources.ResourceGroup("docs");
const account = new storage.StorageAccount("docs", {
    resourceGroupName: group.name,
    kind: storage.Kind.StorageV2,
    sku: { name: storage.SkuName.Standard_LRS },
    enableHttpsTrafficOnly: true,
    minimumTlsVersion: storage.MinimumTlsVersion.TLS1_2,
    allowBlobPublicAccess: false,
});
// Creates the container $web.
const website = new storage.StorageAccountStaticWebsite("docs", {
    resourceGroupName: group.name,
    accountName: account.name,
    indexDocument: "index.html",
    error404Document: "404.html",
});

/** Allows the user of `pulumi up` to write files, with the role Storage Blob Data Contributor. */
const client = authorization.getClientConfigOutput();
const writer = new authorization.RoleAssignment("writer", {
    scope: account.id,
    principalId: client.objectId,
    roleDefinitionId: pulumi.interpolate`/subscriptions/${client.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe`,
});

const site = new BucketSite(
    "docs",
    {
        jobId: bundle.jobId,
        container: website.containerName,
        endpoint: account.primaryEndpoints.blob,
        // /start is a file next to /start.html, because the storage has no rules for addresses.
        addresses: "objects",
        keep: 3,
        ...(pin === undefined ? {} : { pin }),
    },
    { dependsOn: writer },
);

const profile = new cdn.Profile("docs", {
    resourceGroupName: group.name,
    location: "Global",
    sku: { name: cdn.SkuName.Standard_AzureFrontDoor },
});
const place = { resourceGroupName: group.name, profileName: profile.name };
const endpoint = new cdn.AFDEndpoint("docs", { ...place, location: "Global", enabledState: "Enabled" });
const originGroup = new cdn.AFDOriginGroup("docs", {
    ...place,
    loadBalancingSettings: { sampleSize: 4, successfulSamplesRequired: 3, additionalLatencyInMilliseconds: 50 },
});
/** Such as docs1a2b3c.z6.web.core.windows.net */
const host = account.primaryEndpoints.web.apply((url) => new URL(url).hostname);
const origin = new cdn.AFDOrigin("docs", {
    ...place,
    originGroupName: originGroup.name,
    hostName: host,
    originHostHeader: host,
    httpPort: 80,
    httpsPort: 443,
    priority: 1,
    weight: 1000,
    enabledState: "Enabled",
});
new cdn.Route(
    "docs",
    {
        ...place,
        endpointName: endpoint.name,
        originGroup: { id: originGroup.id },
        patternsToMatch: ["/*"],
        supportedProtocols: ["Http", "Https"],
        httpsRedirect: "Enabled",
        forwardingProtocol: "HttpsOnly",
        linkToDefaultDomain: "Enabled",
        enabledState: "Enabled",
        // Front Door obeys the Cache-Control header of the files.
        cacheConfiguration: {
            queryStringCachingBehavior: "IgnoreQueryString",
            compressionSettings: {
                isCompressionEnabled: true,
                contentTypesToCompress: [
                    "text/html",
                    "text/css",
                    "text/javascript",
                    "application/json",
                    "image/svg+xml",
                ],
            },
        },
    },
    // A route needs an origin group that has an origin.
    { dependsOn: origin },
);

export const url = pulumi.interpolate`https://${endpoint.hostName}/`;
export const uploadedFiles = site.uploadedFiles;
export const earlierJobIds = site.earlierJobIds;
