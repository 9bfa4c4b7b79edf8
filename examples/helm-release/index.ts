import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { documentationSiteChart, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();

const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.require("version"),
    // A daily `pulumi up` renews a link that is valid for days; a renewed link does not restart pods. If the links of
    // your platform are valid for an hour, as those of a self-hosted service are, use the chart's cache or a BundleMirror.
    renewBeforeSeconds: 24 * 3600,
});

const release = new k8s.helm.v3.Release("docs", {
    name: "docs",
    namespace: config.require("namespace"),
    // The chart in this package.
    chart: documentationSiteChart(),
    // A rollout that is not ready by the deadline is rolled back, and the live site stays up.
    atomic: true,
    cleanupOnFail: true,
    timeout: 600,
    values: {
        ...config.getObject<Record<string, unknown>>("values"),
        staticExport: { enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version },
    },
});

export const service = pulumi.interpolate`${release.status.name}-documentation-site`;
export const jobId = bundle.jobId;
export const expiresAt = bundle.expiresAt;
