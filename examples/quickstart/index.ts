import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
});

/** What a self-hosted deployment takes: the `staticExport` section of its Helm values. */
export const staticExport = {
    enabled: true,
    bundleUrl: bundle.bundleUrl,
    version: bundle.version,
};
export const jobId = bundle.jobId;
export const pageCount = bundle.pageCount;
export const expiresAt = bundle.expiresAt;
