import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import {
    type Availability,
    type DeploymentType,
    releaseType,
    type SiteFeatures,
    siteType,
} from "@pulumi-static-export/contract";
import { BundleMirror, type BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { definedOnly } from "../host/defined-only.js";
import { StaticExportJob } from "../static-export-job/static-export-job.js";
import { StaticExportBundle, type StaticExportBundleArgs } from "../static-export-bundle/static-export-bundle.js";
import { BundleCheck, type MirroredCopyArgs } from "../bundle-check/bundle-check.js";
import { assertUsable } from "../program/assert-usable.js";
import { findWrongInput, type InputKind } from "../program/component-inputs.js";
import { findMissingAwsSdk } from "../program/find-missing-aws-sdk.js";
import { isOnPath } from "../program/is-on-path.js";
import { documentationSiteChart } from "../program/packaged-charts.js";
import { programFolder } from "../program/program-folder.js";
import { withoutStackTraces } from "../program/stack-traces.js";
import { bundleLimits, type SiteChart } from "./chart.js";
import { featureSupport } from "./feature-support.js";
import { findSiteProblem } from "./find-site-problem.js";
import { type ClusterAccess, listPodsWithKubectl, watchRollout } from "./rollout-watch.js";
import { keepsReadersApart, type SiteAccessArgs } from "./site-access.js";

/** The arguments of a {@link DocumentationSite}. */
export interface DocumentationSiteArgs extends Omit<StaticExportBundleArgs, "renewLink"> {
    /** Where the site is deployed. The feature matrix of the API contract depends on it. */
    deploymentType: DeploymentType;
    /** The features that the site should have. Those that the feature matrix lists as unavailable are refused. */
    features?: SiteFeatures;
    /**
     * Starts the export with a resource of its own, a `StaticExportJob`, so that Pulumi saves the job's id before the wait.
     * For platforms that honour no `Idempotency-Key`, on machines that may be lost during the wait.
     * @default false
     */
    separateStart?: boolean;
    /**
     * Copies the bundle to your own bucket, from which the pods fetch it. A pod can then start long after the
     * platform's link has expired. Required for an air-gapped deployment, which cannot reach that link.
     */
    mirror?: Omit<BundleMirrorArgs, "jobId">;
    /**
     * The SHA-256 digest that the bundle must have, in hexadecimal, for an export that was checked elsewhere. Without a
     * mirror, every renewed link has to yield the same bytes, which the platform's contract does not promise.
     */
    expectedSha256?: pulumi.Input<string>;
    /**
     * A folder relative to the program, an `oci://` URL, or the name of a chart in `chartRepository`. Any chart works
     * that takes the contract's `staticExport` values.
     * @default the chart in this package, see `documentationSiteChart`
     */
    chart?: string;
    /**
     * Whether the chart verifies `staticExport.sha256` and limits bundles by `fetch.limits`, as the chart in this
     * package does. Set it to true for a copy of that chart.
     * @default true when `chart` is omitted
     */
    chartTakesDigest?: boolean;
    /** Required for a chart that is not a local folder. */
    chartVersion?: string;
    chartRepository?: string;
    /** @default the component's name */
    releaseName?: pulumi.Input<string>;
    /**
     * An existing namespace.
     * @default "default"
     */
    namespace?: pulumi.Input<string>;
    /**
     * Tells readers apart, for a bundle of `--access`: pages for certain readers are shown to nobody else. Without it, such a
     * bundle is refused. For the chart in this package, or a copy of it with `chartTakesDigest`.
     */
    access?: SiteAccessArgs;
    /** Further values of the chart. In `staticExport`, the values that this component sets take precedence. */
    values?: Record<string, unknown>;
    /**
     * How long a rollout may take before it is rolled back, in seconds.
     * @default 600
     */
    rolloutTimeoutSeconds?: pulumi.Input<number>;
    /**
     * A kubeconfig file, or its content, for the cluster of the Kubernetes provider in the options. `pulumi up` needs
     * it to show why pods do not start. It is read, and not stored.
     * @default the settings of the default provider
     */
    kubeconfig?: pulumi.Input<string>;
}

/** Every input, so that a misspelled one is also reported to a JavaScript program. */
const inputs: Record<keyof DocumentationSiteArgs, InputKind> = {
    domain: "input",
    version: "input",
    paths: "input",
    triggers: "input",
    renewBeforeSeconds: "input",
    timeoutSeconds: "input",
    jobId: "input",
    deploymentType: "text",
    features: "flags",
    separateStart: "flag",
    mirror: "record",
    expectedSha256: "input",
    chart: "text",
    chartTakesDigest: "flag",
    chartVersion: "text",
    chartRepository: "text",
    releaseName: "input",
    namespace: "input",
    access: "record",
    values: "record",
    rolloutTimeoutSeconds: "input",
    kubeconfig: "input",
};

const required = { domain: "domain is required: the host name of the documentation site" };

/**
 * A documentation site on Kubernetes in one declaration: its export, optionally a durable copy of the bundle, and a
 * Helm release that serves it. The bundle is checked before anything is rolled out. A failed rollout is rolled back, so
 * the live site stays, and if kubectl reaches the cluster, `pulumi up` shows why its pods did not start (with a
 * Kubernetes provider of your own, set `kubeconfig`). Destroying it removes the release; the mirror's copy stays unless
 * `mirror.deleteOnRemoval` is set.
 */
export class DocumentationSite extends pulumi.ComponentResource {
    /** Undefined without `separateStart`. */
    readonly job: StaticExportJob | undefined;
    readonly bundle: StaticExportBundle;
    readonly check: BundleCheck;
    /** Undefined without `mirror`. */
    readonly mirror: BundleMirror | undefined;
    readonly release: Release;
    /** The export job whose bundle is served. */
    readonly jobId: pulumi.Output<string>;
    /**
     * SHA-256 of the bundle that was checked. With a mirror or `expectedSha256`, the pods serve exactly this bundle.
     * Otherwise they serve what the platform packs for their link, which may differ in bytes.
     */
    readonly sha256: pulumi.Output<string>;
    /** What the feature matrix says about each feature in this type of deployment. */
    readonly featureSupport: Readonly<Record<keyof SiteFeatures, Availability>>;

    /** @throws ResourceError when the arguments contradict the feature matrix or each other */
    constructor(name: string, args: DocumentationSiteArgs, opts?: pulumi.ComponentResourceOptions) {
        const chart = chartOf({ ...args });
        assertUsable("DocumentationSite", name, findProblem(args, chart));
        super(siteType, name, {}, opts);
        const { mirror, expectedSha256 } = args;

        const { domain, version, paths, triggers, ...waitArgs } = exportArgs(args);
        const wanted = { domain, ...definedOnly({ version, paths, triggers }) };
        this.job = args.separateStart ? new StaticExportJob(name, wanted, { parent: this }) : undefined;
        this.bundle = new StaticExportBundle(
            name,
            {
                // The job alone decides what is exported: its id changes with that.
                ...(this.job ? { domain, jobId: this.job.jobId } : wanted),
                ...waitArgs,
                // Only the mirror uses the link, and it requests a fresh one: an expired link needs no update.
                ...(mirror ? { renewLink: false } : {}),
            },
            { parent: this },
        );
        const { jobId } = this.bundle;
        // With a mirror, the pods fetch its copy, so the copy is what is checked.
        this.mirror = mirror && new BundleMirror(name, { jobId, ...mirror }, { parent: this });
        this.check = new BundleCheck(
            name,
            {
                jobId,
                ...(mirror && this.mirror ? { mirror: copyOf(mirror, this.mirror) } : {}),
                ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
                ...(takesDigest(args) ? bundleLimits(args.values) : {}),
                ...(keepsReadersApart(args) ? { access: true } : {}),
            },
            { parent: this },
        );
        this.jobId = mirror?.pin === undefined ? jobId : pulumi.output(mirror.pin);
        this.sha256 = this.check.sha256;
        this.featureSupport = featureSupport(args.deploymentType);
        this.release = withoutStackTraces(
            () =>
                new Release(
                    name,
                    {
                        name: args.releaseName ?? name,
                        namespace: args.namespace ?? "default",
                        chart: chart.chart,
                        ...(chart.version === undefined ? {} : { version: chart.version }),
                        ...(chart.repository === undefined ? {} : { repositoryOpts: { repo: chart.repository } }),
                        values: this.#values(args),
                        // Rolls a failed rollout back by a deadline and leaves nothing half-made or locked.
                        atomic: true,
                        cleanupOnFail: true,
                        timeout: args.rolloutTimeoutSeconds ?? 600,
                        maxHistory: 5,
                    },
                    { parent: this, dependsOn: this.check },
                ),
        );
        this.#explainRollout(args, name);
        this.registerOutputs({
            jobId: this.jobId,
            sha256: this.sha256,
            release: this.release.name,
            // For policies. As arguments of the component, these would cause a diff in existing stacks.
            deploymentType: args.deploymentType,
            features: args.features ?? {},
        });
    }

    /** While the release is being installed, shows why its pods do not start. */
    #explainRollout(args: DocumentationSiteArgs, name: string): void {
        const access = takesDigest(args) ? this.#clusterAccess(args.kubeconfig) : undefined;
        if (access === undefined) {
            return;
        }
        if (!isOnPath("kubectl")) {
            const message = "kubectl is not on PATH, so a failed rollout cannot show why its pods did not start.";
            void pulumi.log.warn(message, this);
            return;
        }
        if (pulumi.runtime.isDryRun()) {
            return;
        }
        const done = new AbortController();
        const { namespace = "default", releaseName = name } = args;
        // The watch starts with the rollout, which waits for the last two.
        const start = pulumi.all([namespace, releaseName, access, this.check.sha256, this.#link]);
        start.apply(([space, release, reached]) => {
            const listPods = listPodsWithKubectl(space, release, reached);
            const report = (line: string) => void pulumi.log.warn(line, this);
            void watchRollout({ listPods, report, signal: done.signal });
        });
        this.release.status.apply(() => done.abort());
    }

    /** Undefined when a provider was passed without `kubeconfig`: a provider does not reveal its cluster. */
    #clusterAccess(kubeconfig: pulumi.Input<string> | undefined): pulumi.Input<ClusterAccess> | undefined {
        if (kubeconfig !== undefined) {
            return pulumi.output(kubeconfig).apply((given) => ({ kubeconfig: given }));
        }
        if (this.getProvider(releaseType) !== undefined) {
            return undefined;
        }
        const config = new pulumi.Config("kubernetes");
        const [configured, context] = [config.get("kubeconfig"), config.get("context")];
        return {
            ...(configured === undefined ? {} : { kubeconfig: configured }),
            ...(context === undefined ? {} : { context }),
        };
    }

    get #link(): pulumi.Output<string> {
        return this.mirror?.url ?? this.bundle.bundleUrl;
    }

    #values(args: DocumentationSiteArgs): Record<string, pulumi.Input<unknown>> {
        const given = args.values?.staticExport;
        return {
            ...args.values,
            ...definedOnly({ access: args.access }),
            staticExport: {
                ...(typeof given === "object" ? given : {}),
                enabled: true,
                bundleUrl: this.#link,
                // Without a version of its own, a site is identified by its export job; so is an earlier one.
                version: args.mirror?.pin ?? args.version ?? this.bundle.jobId,
                ...(takesDigest(args) && hasFixedBytes(args) ? { sha256: this.check.sha256 } : {}),
            },
        };
    }
}

/**
 * Whether the pods can verify a digest. Behind a renewed link, the platform promises the same export but not the same
 * bytes: with the digest of an earlier link, pods that start after a renewal would refuse the bundle.
 */
function hasFixedBytes({ mirror, expectedSha256 }: DocumentationSiteArgs): boolean {
    return mirror !== undefined || expectedSha256 !== undefined;
}

function copyOf(args: Omit<BundleMirrorArgs, "jobId">, { sha256 }: BundleMirror): MirroredCopyArgs {
    const { bucket, prefix, endpoint, region, pathStyle, pin } = args;
    const given = Object.entries({ prefix, endpoint, region, pathStyle, pin }).filter(
        ([, value]) => value !== undefined,
    );
    return { bucket, ...Object.fromEntries(given), sha256 };
}

function takesDigest({ chart, chartTakesDigest = chart === undefined }: DocumentationSiteArgs): boolean {
    return chartTakesDigest;
}

function chartOf({
    chart = documentationSiteChart(),
    chartVersion,
    chartRepository,
}: DocumentationSiteArgs): SiteChart {
    return {
        chart,
        ...(chartVersion === undefined ? {} : { version: chartVersion }),
        ...(chartRepository === undefined ? {} : { repository: chartRepository }),
    };
}

function findProblem(args: DocumentationSiteArgs, chart: SiteChart): string | undefined {
    return (
        findWrongInput({ ...args }, inputs, required) ??
        findSiteProblem({ ...args, chart, takesDigest: takesDigest(args) }, programFolder()) ??
        findStartProblem(args) ??
        (args.mirror === undefined ? undefined : findMissingAwsSdk())
    );
}

function findStartProblem({ separateStart, jobId }: DocumentationSiteArgs): string | undefined {
    return separateStart && jobId !== undefined
        ? "separateStart starts a job, and jobId names one that was started already: remove one of them"
        : undefined;
}

function exportArgs(args: DocumentationSiteArgs): StaticExportBundleArgs {
    const { domain, version, paths, triggers, renewBeforeSeconds, timeoutSeconds, jobId } = args;
    const given = { version, paths, triggers, renewBeforeSeconds, timeoutSeconds, jobId };
    return { domain, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
