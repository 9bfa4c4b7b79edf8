import * as pulumi from "@pulumi/pulumi";
import { DocumentationUpdate, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");
/** The commit that was pushed; the pipeline sets it for each run. */
const commit = config.require("commit");

// Has the platform publish the push, and fails if it publishes another commit.
const update = new DocumentationUpdate("docs", {
    projectId: config.require("project"),
    triggers: [commit],
    expectedCommit: commit,
});

// Exports again only if another commit was published.
const bundle = new StaticExportBundle("docs", {
    domain,
    triggers: [update.commit.apply((published) => published?.sha)],
});

export const { bundleUrl, jobId } = bundle;
