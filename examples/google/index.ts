import * as gcp from "@pulumi/gcp";
import * as pulumi from "@pulumi/pulumi";
import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");
const pin = config.get("pin");

const bundle = new StaticExportBundle("docs", { domain, version: config.require("version"), renewLink: false });

const bucket = new gcp.storage.Bucket("docs", {
    location: config.get("location") ?? "EU",
    uniformBucketLevelAccess: true,
    website: { mainPageSuffix: "index.html", notFoundPage: "404.html" },
});
// Everybody may read and list files: if readers could not list files, a missing file would return 403 instead of
// 404.html.
new gcp.storage.BucketIAMMember("readers", {
    bucket: bucket.name,
    role: "roles/storage.objectViewer",
    member: "allUsers",
});

const site = new BucketSite("docs", {
    jobId: bundle.jobId,
    bucket: bucket.name,
    endpoint: "https://storage.googleapis.com",
    region: "auto",
    // /start is a file next to /start.html, because the storage has no rules for addresses.
    addresses: "objects",
    keep: 3,
    ...(pin === undefined ? {} : { pin }),
});

const backend = new gcp.compute.BackendBucket("docs", {
    bucketName: bucket.name,
    enableCdn: true,
    // Pages are revalidated; files with a digest in their name are cached.
    cdnPolicy: { cacheMode: "USE_ORIGIN_HEADERS" },
    compressionMode: "AUTOMATIC",
});
const certificate = new gcp.compute.ManagedSslCertificate("docs", { managed: { domains: [domain] } });
const proxy = new gcp.compute.TargetHttpsProxy("docs", {
    urlMap: new gcp.compute.URLMap("docs", { defaultService: backend.selfLink }).selfLink,
    sslCertificates: [certificate.selfLink],
});
const address = new gcp.compute.GlobalAddress("docs");
new gcp.compute.GlobalForwardingRule("https", {
    target: proxy.selfLink,
    ipAddress: address.address,
    portRange: "443",
    loadBalancingScheme: "EXTERNAL_MANAGED",
});
// Sends readers of http:// to https://.
const toHttps = new gcp.compute.URLMap("to-https", {
    defaultUrlRedirect: { httpsRedirect: true, redirectResponseCode: "MOVED_PERMANENTLY_DEFAULT", stripQuery: false },
});
new gcp.compute.GlobalForwardingRule("http", {
    target: new gcp.compute.TargetHttpProxy("to-https", { urlMap: toHttps.selfLink }).selfLink,
    ipAddress: address.address,
    portRange: "80",
    loadBalancingScheme: "EXTERNAL_MANAGED",
});

export const url = `https://${domain}/`;
/** The A record of the domain. */
export const ipAddress = address.address;
export const uploadedFiles = site.uploadedFiles;
export const earlierJobIds = site.earlierJobIds;
