import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();

const site = new DocumentationSite("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    deploymentType: "client-hosted",
    // Any chart that takes the contract's values works: here a folder, or the platform's own chart by its oci://
    // address and chartVersion. The chart gets only staticExport.enabled, .bundleUrl and .version.
    chart: "./chart",
    namespace: config.require("namespace"),
    values: config.getObject<Record<string, unknown>>("values") ?? {},
});

export const jobId = site.jobId;
export const service = site.release.status.name;
