import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

/** The address of any server with an S3 API. Default: AWS. */
const endpoint = config.get("endpoint");
/** Without this address, pods use a presigned link, which `pulumi up` renews after half of its seven days. */
const publicUrl = config.get("publicUrl");

const site = new DocumentationSite("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    deploymentType: "client-hosted",
    features: { documentationSearch: true, aiAssistant: false },
    mirror: {
        bucket: config.require("bucket"),
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    namespace: config.require("namespace"),
    values: config.getObject<Record<string, unknown>>("values") ?? {},
});

export const jobId = site.jobId;
export const sha256 = site.sha256;
export const service = pulumi.interpolate`${site.release.status.name}-documentation-site`;
