import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");
const accountId = config.require("accountId");
const zoneId = config.require("zoneId");
const pin = config.get("pin");

const bundle = new StaticExportBundle("docs", { domain, version: config.require("version"), renewLink: false });

const bucket = new cloudflare.R2Bucket("docs", { accountId, name: config.get("bucket") ?? "docs-site" });

const site = new BucketSite("docs", {
    jobId: bundle.jobId,
    bucket: bucket.name,
    endpoint: `https://${accountId}.r2.cloudflarestorage.com`,
    region: "auto",
    prefix: "site/",
    switching: "releases",
    keep: 3,
    ...(pin === undefined ? {} : { pin }),
});

new cloudflare.R2CustomDomain("docs", { accountId, bucketName: bucket.name, zoneId, domain, enabled: true });

/** Such as /site/releases/4f2a… */
const release = site.releasePrefix.apply((prefix) => `/${prefix.replace(/\/$/, "")}`);
const path = "http.request.uri.path";

/** Rewrites the addresses of one kind; exactly one of the rules below applies to a request. */
function rewrite(ref: string, condition: string, ending: string): cloudflare.types.input.RulesetRule {
    // A rewritten path is not rewritten again.
    const expression = `http.host eq "${domain}" and not starts_with(${path}, "/site/releases/") and ${condition}`;
    const to = pulumi.interpolate`concat("${release}", ${path}${ending})`;
    return { ref, action: "rewrite", expression, actionParameters: { uri: { path: { expression: to } } } };
}

// All readers get the new release when this rule changes, which takes seconds.
new cloudflare.Ruleset("docs", {
    zoneId,
    name: "The live release of the documentation",
    kind: "zone",
    phase: "http_request_transform",
    rules: [
        rewrite("folders", `ends_with(${path}, "/")`, ', "index.html"'),
        rewrite("pages", `not ends_with(${path}, "/") and ${path}.extension eq ""`, ', ".html"'),
        rewrite("files", `${path}.extension ne ""`, ""),
    ],
});

export const url = `https://${domain}/`;
export const releasePrefix = site.releasePrefix;
export const earlierJobIds = site.earlierJobIds;
