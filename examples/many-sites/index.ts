import * as pulumi from "@pulumi/pulumi";
import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    renewLink: false,
});

export const { servedJobId, releasePrefix, uploadedFiles } = new BucketSite("docs", {
    jobId: bundle.jobId,
    bucket: config.require("bucket"),
    endpoint: config.require("endpoint"),
    pathStyle: true,
    prefix: config.require("prefix"),
    switching: "releases",
    keep: 1,
    pin: config.get("pin"),
});
