import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

/** One for each pull request, such as `pr-12`. */
const stack = pulumi.getStack();
const domain = config.require("domain");
/** Any server with an S3 API; AWS if it is not set. */
const endpoint = config.get("endpoint");
/** Where pods reach the bucket without credentials. If it is not set, they use a presigned link. */
const publicUrl = config.get("publicUrl");

const site = new DocumentationSite("preview", {
    domain,
    version: config.require("version"),
    deploymentType: "client-hosted",
    // The service runs only during the export: its link ends with it, and the pods fetch the copy.
    mirror: {
        bucket: config.require("bucket"),
        prefix: `previews/${stack}/`,
        deleteOnRemoval: true,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
    },
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
