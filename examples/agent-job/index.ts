import * as pulumi from "@pulumi/pulumi";
import { AgentJob, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

/** A job for the prompt. If the prompt changes, it is sent to the same job, which continues on its branch. */
const change = new AgentJob("change", {
    projectId: config.require("projectId"),
    prompt: config.require("prompt"),
});

/** The site is exported when the agent is done, and again after each new prompt. */
const bundle = new StaticExportBundle(
    "docs",
    { domain: config.require("domain"), triggers: [change.jobId, change.prompt] },
    { dependsOn: change },
);

/** Undefined if the agent changed no file. */
export const prLink = change.prLink;
export const branch = change.sourceRef;
export const jobId = bundle.jobId;
