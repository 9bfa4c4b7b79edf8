import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
});

/** The `staticExport` section of the Helm values of a self-hosted deployment. */
export const staticExport = {
    enabled: true,
    bundleUrl: bundle.bundleUrl,
    version: bundle.version,
};
export const jobId = bundle.jobId;
export const pageCount = bundle.pageCount;
export const expiresAt = bundle.expiresAt;
