import * as pulumi from "@pulumi/pulumi";
import { AgentJob, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

/** One job for this prompt. Another prompt is sent to the same job, which goes on in its branch. */
const change = new AgentJob("change", {
    projectId: config.require("projectId"),
    prompt: config.require("prompt"),
});

/** Exported only once the agent is done, and anew whenever it has worked. */
const bundle = new StaticExportBundle(
    "docs",
    { domain: config.require("domain"), triggers: [change.jobId, change.prompt] },
    { dependsOn: change },
);

/** Undefined when the agent changed no file. */
export const prLink = change.prLink;
export const branch = change.sourceRef;
export const jobId = bundle.jobId;
