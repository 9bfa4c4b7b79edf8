import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

/** Port of the storage as its own machine sees it, where that differs from the one in publicUrl. */
const storagePort = config.getNumber("storagePort");

const site = new DocumentationSite("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    // Search, the assistant and analytics need the platform's cloud: asking for one of them here would be refused.
    deploymentType: "air-gapped",
    features: { apiPlayground: true },
    // This machine reaches the platform and the storage; the cluster reaches the storage alone.
    mirror: {
        bucket: config.require("bucket"),
        endpoint: config.require("endpoint"),
        publicUrl: config.require("publicUrl"),
    },
    namespace: config.require("namespace"),
    values: {
        // From a registry of one's own: `pulumi config set --path values.image.repository …`. One image does for both
        // the web server and the fetch.
        ...config.getObject<Record<string, unknown>>("values"),
        networkPolicy: {
            egressTo: [{ ipBlock: { cidr: config.require("storageCidr") } }],
            egressPorts: storagePort === undefined ? [] : [storagePort],
        },
    },
});

export const jobId = site.jobId;
export const sha256 = site.sha256;
export const service = pulumi.interpolate`${site.release.status.name}-documentation-site`;
