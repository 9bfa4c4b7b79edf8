import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

/** Each pull request has a stack, such as `pr-12`. */
const stack = pulumi.getStack();
const domain = config.require("domain");
/** The address of any server with an S3 API. Default: AWS. */
const endpoint = config.get("endpoint");
/** Where pods reach the bucket without credentials. Without this address, pods use a presigned link. */
const publicUrl = config.get("publicUrl");

const site = new DocumentationSite("preview", {
    domain,
    version: config.require("version"),
    deploymentType: "client-hosted",
    // The service runs only during the export, so the pods fetch a copy instead of using the service's link.
    mirror: {
        bucket: config.require("bucket"),
        prefix: `previews/${stack}/`,
        deleteOnRemoval: true,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    // Visits of a preview are not counted.
    features: { webAnalytics: false },
    namespace: config.require("namespace"),
    releaseName: stack,
    values: {
        replicaCount: 1,
        ...config.getObject<Record<string, unknown>>("values"),
        ingress: { enabled: true, hosts: [{ host: domain, path: "/", pathType: "Prefix" }] },
    },
});

export const url = `https://${domain}/`;
export const service = pulumi.interpolate`${site.release.status.name}-documentation-site`;
