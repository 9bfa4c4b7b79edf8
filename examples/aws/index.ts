import { readFileSync } from "node:fs";
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { BucketSite, StaticExportBundle } from "pulumi-static-export";

const config = new pulumi.Config();
const domain = config.require("domain");
/** The hosted zone of the domain in Route 53. */
const zoneId = config.require("zoneId");
/** Addresses that have moved, such as { "/old": "/new" }. */
const redirects = config.getObject<Record<string, string>>("redirects") ?? {};
const pin = config.get("pin");

const bundle = new StaticExportBundle("docs", { domain, version: config.require("version"), renewLink: false });

const bucket = new aws.s3.Bucket("docs");
new aws.s3.BucketPublicAccessBlock("docs", {
    bucket: bucket.bucket,
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
});

const site = new BucketSite("docs", {
    jobId: bundle.jobId,
    bucket: bucket.bucket,
    region: bucket.region,
    prefix: "site/",
    switching: "releases",
    keep: 3,
    ...(pin === undefined ? {} : { pin }),
});
// This page is not part of a release, because a new path would change the distribution, which takes minutes.
const errorPage = new aws.s3.BucketObjectv2("missing", {
    bucket: bucket.bucket,
    key: "errors/404.html",
    content: '<!doctype html><title>Not found</title><p>There is no such page. <a href="/">Start here</a>.</p>',
    contentType: "text/html; charset=utf-8",
});

const store = new aws.cloudfront.KeyValueStore("docs", { comment: `The live release of ${domain}` });
// All readers get the new release when these few bytes reach CloudFront's edge, which takes seconds.
new aws.cloudfront.KeyvaluestoreKeysExclusive("docs", {
    keyValueStoreArn: store.arn,
    resourceKeyValuePairs: [
        { key: "release", value: site.releasePrefix },
        ...Object.entries(redirects).map(([from, to]) => ({ key: `redirect:${from}`, value: to })),
    ],
});
const edge = new aws.cloudfront.Function("docs", {
    runtime: "cloudfront-js-2.0",
    code: readFileSync("edge.js", "utf8"),
    keyValueStoreAssociations: [store.arn],
    publish: true,
});

// CloudFront takes certificates from this region only.
const region = "us-east-1";
const certificate = new aws.acm.Certificate("docs", { domainName: domain, validationMethod: "DNS", region });
const proof = certificate.domainValidationOptions[0];
const proofRecord = new aws.route53.Record("proof", {
    zoneId,
    name: proof.resourceRecordName,
    type: proof.resourceRecordType,
    records: [proof.resourceRecordValue],
    ttl: 300,
});
const valid = new aws.acm.CertificateValidation("docs", {
    certificateArn: certificate.arn,
    validationRecordFqdns: [proofRecord.fqdn],
    region,
});

const accessControl = new aws.cloudfront.OriginAccessControl("docs", {
    originAccessControlOriginType: "s3",
    signingBehavior: "always",
    signingProtocol: "sigv4",
});
const distribution = new aws.cloudfront.Distribution("docs", {
    enabled: true,
    isIpv6Enabled: true,
    httpVersion: "http2and3",
    aliases: [domain],
    origins: [
        {
            originId: "bucket",
            domainName: bucket.bucketRegionalDomainName,
            originAccessControlId: accessControl.id,
        },
    ],
    defaultCacheBehavior: {
        targetOriginId: "bucket",
        viewerProtocolPolicy: "redirect-to-https",
        allowedMethods: ["GET", "HEAD"],
        cachedMethods: ["GET", "HEAD"],
        compress: true,
        // AWS's managed policies CachingOptimized and SecurityHeadersPolicy.
        cachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6",
        responseHeadersPolicyId: "67f7725c-6f97-4210-82d7-5512b31e9d03",
        functionAssociations: [{ eventType: "viewer-request", functionArn: edge.arn }],
    },
    // S3 answers 403 for a missing file, because CloudFront may not list the bucket.
    customErrorResponses: [
        { errorCode: 403, responseCode: 404, responsePagePath: pulumi.interpolate`/${errorPage.key}` },
    ],
    restrictions: { geoRestriction: { restrictionType: "none" } },
    viewerCertificate: {
        acmCertificateArn: valid.certificateArn,
        sslSupportMethod: "sni-only",
        minimumProtocolVersion: "TLSv1.2_2021",
    },
});
new aws.s3.BucketPolicy("docs", {
    bucket: bucket.bucket,
    policy: pulumi.jsonStringify({
        Version: "2012-10-17",
        Statement: [
            {
                Effect: "Allow",
                Principal: { Service: "cloudfront.amazonaws.com" },
                Action: "s3:GetObject",
                Resource: pulumi.interpolate`${bucket.arn}/*`,
                Condition: { StringEquals: { "AWS:SourceArn": distribution.arn } },
            },
        ],
    }),
});
for (const type of ["A", "AAAA"]) {
    new aws.route53.Record(type, {
        zoneId,
        name: domain,
        type,
        aliases: [{ name: distribution.domainName, zoneId: distribution.hostedZoneId, evaluateTargetHealth: false }],
    });
}

export const url = `https://${domain}/`;
export const release = site.releasePrefix;
export const earlierJobIds = site.earlierJobIds;
