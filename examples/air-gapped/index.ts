import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

/** Port on which the storage itself listens, if it differs from the port in publicUrl. */
const storagePort = config.getNumber("storagePort");

const site = new DocumentationSite("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    // Search, the assistant and analytics need the platform's cloud: enabling one of them here would be an error.
    deploymentType: "air-gapped",
    features: { apiPlayground: true },
    // This machine reaches the platform and the storage; the cluster reaches only the storage.
    mirror: {
        bucket: config.require("bucket"),
        endpoint: config.require("endpoint"),
        publicUrl: config.require("publicUrl"),
    },
    namespace: config.require("namespace"),
    values: {
        // For a private registry: `pulumi config set --path values.image.repository …`, and the same for fetch.image.
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
