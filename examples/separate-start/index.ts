import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle, StaticExportJob } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");

// Pulumi saves the job's id as soon as the platform has responded, not only after the wait.
const job = new StaticExportJob("docs", { domain, version: config.require("version") });

const bundle = new StaticExportBundle("docs", { domain, jobId: job.jobId });

export const { bundleUrl, jobId } = bundle;
