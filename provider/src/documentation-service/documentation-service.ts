import { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import { serviceType } from "@pulumi-static-export/contract";
import { assertUsable } from "../program/assert-usable.js";
import { findWrongInput, type InputKind } from "../program/component-inputs.js";
import { programFolder } from "../program/find-installation-problem.js";
import { packagedChart } from "../program/packaged-charts.js";
import { withoutStackTraces } from "../program/stack-traces.js";
import { releaseInputs, type SiteChart, siteChart } from "../documentation-site/chart.js";
import { findServiceProblem, secretData, serviceValues } from "./service-resources.js";

/** An image with the `static-export` command. */
export interface ServiceImageArgs {
    /** The image without its tag, such as `registry.example.com/static-export`. */
    repository: pulumi.Input<string>;
    /** @default the chart's version of the service */
    tag?: pulumi.Input<string>;
    /** `sha256:…` pins the image. */
    digest?: pulumi.Input<string>;
}

/** The S3-compatible bucket where the service stores bundles. */
export interface ServiceBucketArgs {
    /** `s3://name` or `s3://name/prefix`. */
    url: pulumi.Input<string>;
    /**
     * Address of the storage.
     * @default AWS
     */
    endpoint?: pulumi.Input<string>;
    /** Address at which clients reach the storage, if it differs from `endpoint`. */
    publicEndpoint?: pulumi.Input<string>;
    /** @default "us-east-1" */
    region?: pulumi.Input<string>;
    /**
     * Credentials, with `secretAccessKey`.
     * @default those of the pods' service account
     */
    accessKeyId?: pulumi.Input<string>;
    /** Belongs to `accessKeyId`. */
    secretAccessKey?: pulumi.Input<string>;
}

/** The arguments of a {@link DocumentationService}. */
export interface DocumentationServiceArgs {
    image: ServiceImageArgs;
    /** Address that clients use, such as `https://docs-admin.example.net`. */
    publicUrl: pulumi.Input<string>;
    /**
     * Documentation by domain: a folder in the pods, or a repository such as
     * `git+https://git.example.com/acme/docs.git#main:guides`.
     */
    sites: Record<string, pulumi.Input<string>>;
    /** A PostgreSQL database, version 13 or later: `postgres://user:password@host:5432/name`. Stored as a secret. */
    databaseUrl: pulumi.Input<string>;
    bucket: ServiceBucketArgs;
    /** The key that may do everything. Stored as a secret. */
    adminApiKey: pulumi.Input<string>;
    /**
     * A folder relative to the program, an `oci://` URL, or the name of a chart in `chartRepository`.
     * @default the chart in this package
     */
    chart?: string;
    /** Required for a chart that is not a local folder. */
    chartVersion?: string;
    /** URL of an HTTP chart repository. */
    chartRepository?: string;
    /** @default the component's name */
    releaseName?: pulumi.Input<string>;
    /**
     * An existing namespace.
     * @default "default"
     */
    namespace?: pulumi.Input<string>;
    /** Further values of the chart. */
    values?: Record<string, unknown>;
    /**
     * How long, in seconds, a rollout may take before it is rolled back.
     * @default 600
     */
    rolloutTimeoutSeconds?: pulumi.Input<number>;
}

/** Lists every input, so that a misspelt input is reported in JavaScript programs, too. */
const inputs: Record<keyof DocumentationServiceArgs, InputKind> = {
    image: "record",
    publicUrl: "input",
    sites: "record",
    databaseUrl: "input",
    bucket: "record",
    adminApiKey: "input",
    chart: "text",
    chartVersion: "text",
    chartRepository: "text",
    releaseName: "input",
    namespace: "input",
    values: "record",
    rolloutTimeoutSeconds: "input",
};

const required = {
    image: "image is required: an image with the static-export command",
    publicUrl: "publicUrl is required: the address that clients use",
    sites: "sites is required: folders or repositories by domain",
    databaseUrl: "databaseUrl is required: the address of a PostgreSQL database",
    bucket: "bucket is required: where the bundles are stored",
    adminApiKey: "adminApiKey is required: the key that may do everything",
};

/**
 * The self-hosted service on Kubernetes: the chart static-export-service of this package, with a database and a bucket
 * that other resources declare. The service's secrets are in a separate Secret and never in the release's values. A
 * failed rollout is rolled back. Destroying the service leaves the database and the bucket untouched.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { DocumentationService } from "pulumi-static-export/site";
 *
 * const config = new pulumi.Config("static-export");
 * const service = new DocumentationService("docs-service", {
 *     image: { repository: "registry.example.com/static-export" },
 *     publicUrl: "https://docs-admin.example.net",
 *     sites: { "docs.example.com": "git+https://git.example.com/acme/docs.git#main" },
 *     databaseUrl: config.requireSecret("databaseUrl"),
 *     bucket: { url: "s3://docs-bundles/exports" },
 *     adminApiKey: config.requireSecret("adminApiKey"),
 * });
 * ```
 */
export class DocumentationService extends pulumi.ComponentResource {
    /** A Secret with the database's address, the admin key and the bucket's credentials. */
    readonly secret: Secret;
    /** The Helm release of the Kubernetes package. */
    readonly release: Release;
    /** The address that clients use, known once the service runs. */
    readonly url: pulumi.Output<string>;

    /** @throws ResourceError when an argument is missing or misspelt, or contradicts another argument */
    constructor(name: string, args: DocumentationServiceArgs, opts?: pulumi.ComponentResourceOptions) {
        assertUsable("DocumentationService", name, findProblem(name, args));
        super(serviceType, name, {}, opts);
        const { namespace = "default" } = args;
        // The Kubernetes provider generates the name, and replaces the Secret when its content changes: the new name
        // causes a rollout of the pods.
        this.secret = new Secret(
            name,
            { metadata: { namespace }, stringData: pulumi.secret(secretData(args)) },
            { parent: this },
        );
        const values = { ...args.values, ...serviceValues(args, this.secret.metadata.name, args.values?.image) };
        const release = releaseInputs(name, args, chartOf(args), values);
        this.release = withoutStackTraces(() => new Release(name, release, { parent: this }));
        this.url = pulumi.all([args.publicUrl, this.release.status]).apply(([url]) => url);
        this.registerOutputs({ url: this.url, release: this.release.name });
    }
}

function chartOf({ chart = packagedChart("static-export-service"), ...others }: DocumentationServiceArgs): SiteChart {
    return siteChart({ ...others, chart });
}

function findProblem(name: string, args: DocumentationServiceArgs): string | undefined {
    return (
        findWrongInput({ ...args }, inputs, required) ??
        findServiceProblem(name, { ...args, chart: chartOf(args) }, programFolder())
    );
}
