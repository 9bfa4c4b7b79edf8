import * as pulumi from "@pulumi/pulumi";
import { DocumentationService, DocumentationSite } from "pulumi-static-export/site";

const config = new pulumi.Config();
/** The settings that the site's export uses to reach the service. */
const api = new pulumi.Config("static-export");

const domain = config.require("domain");
const namespace = config.require("namespace");
/** The address of any server with an S3 API. Default: AWS. */
const endpoint = config.get("endpoint");

const service = new DocumentationService("docs-service", {
    image: { repository: config.require("image") },
    publicUrl: api.require("baseUrl"),
    adminApiKey: api.requireSecret("adminApiKey"),
    // If the same program declares the database and the bucket, use their outputs here.
    databaseUrl: config.requireSecret("databaseUrl"),
    bucket: {
        url: config.require("bucket"),
        accessKeyId: config.requireSecret("accessKeyId"),
        secretAccessKey: config.requireSecret("secretAccessKey"),
        ...(endpoint === undefined ? {} : { endpoint }),
    },
    sites: { [domain]: config.require("source") },
    namespace,
    values: config.getObject<Record<string, unknown>>("serviceValues") ?? {},
});

const site = new DocumentationSite(
    "docs",
    {
        domain,
        version: config.require("version"),
        deploymentType: "client-hosted",
        namespace,
        values: config.getObject<Record<string, unknown>>("values") ?? {},
    },
    // The export begins once the service responds.
    { dependsOn: service },
);

export const url = service.url;
export const jobId = site.jobId;
