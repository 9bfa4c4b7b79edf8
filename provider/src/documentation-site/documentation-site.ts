import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import { BundleMirror, type BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { StaticExportBundle, type StaticExportBundleArgs } from "../static-export-bundle/static-export-bundle.js";
import { BundleCheck, type MirroredCopyArgs } from "../bundle-check/bundle-check.js";
import { findWrongInput } from "./site-inputs.js";
import { assertUsable } from "../program/assert-usable.js";
import { documentationSiteChart } from "../program/documentation-site-chart.js";
import { findMissingAwsSdk } from "../program/find-missing-aws-sdk.js";
import { isOnPath } from "../program/is-on-path.js";
import { programFolder } from "../program/program-folder.js";
import { withoutStackTraces } from "../program/stack-traces.js";
import { bundleLimits, findChartProblem, type SiteChart } from "./chart.js";
import {
    type Availability,
    type DeploymentType,
    featureSupport,
    findUnsupported,
    type SiteFeatures,
} from "./feature-matrix.js";
import { type ClusterAccess, listPodsWithKubectl, watchRollout } from "./rollout-watch.js";

/** What a {@link DocumentationSite} is declared with. */
export interface DocumentationSiteArgs extends Omit<StaticExportBundleArgs, "renewLink"> {
    /** What the contract's feature matrix is read for. */
    deploymentType: DeploymentType;
    /** The features that the site is meant to have. One that the matrix calls unavailable is refused. */
    features?: SiteFeatures;
    /**
     * Copies the bundle to a bucket of your own, from where the pods fetch it. Then a pod may start long after the
     * platform's link has died. Required for an air-gapped deployment, which cannot reach that link.
     */
    mirror?: Omit<BundleMirrorArgs, "jobId">;
    /**
     * The digest that the bundle must have, in hexadecimal; for an export that was examined elsewhere. Without a mirror
     * it asks more of the platform than its contract promises: the same bytes behind each renewed link.
     */
    expectedSha256?: pulumi.Input<string>;
    /**
     * A folder relative to the program, an `oci://` address, or a name in `chartRepository`. Any chart that takes the
     * contract's `staticExport` values does.
     * @default the chart that comes with this package, see `documentationSiteChart`
     */
    chart?: string;
    /**
     * Whether the chart checks `staticExport.sha256` and bounds a bundle by `fetch.limits`, as the chart of this package
     * does: say true for a copy of it.
     * @default true where `chart` is left out
     */
    chartTakesDigest?: boolean;
    /** Required for a chart that does not lie in a folder. */
    chartVersion?: string;
    chartRepository?: string;
    /** @default the component's name */
    releaseName?: pulumi.Input<string>;
    /**
     * A namespace that exists.
     * @default "default"
     */
    namespace?: pulumi.Input<string>;
    /** Further values of the chart. In `staticExport`, what this component sets wins. */
    values?: Record<string, unknown>;
    /**
     * How long a rollout may take until it is undone, in seconds.
     * @default 600
     */
    rolloutTimeoutSeconds?: pulumi.Input<number>;
    /**
     * A kubeconfig file, or the content of one, with which kubectl finds the cluster of a Kubernetes provider that is
     * given in the options: only then can `pulumi up` show what pods say that do not start. It is read, and not stored.
     * @default what the default provider uses
     */
    kubeconfig?: pulumi.Input<string>;
}

/** Every input, so that a program in JavaScript learns of one that is misspelled. */
const inputs: Record<keyof DocumentationSiteArgs, true> = {
    domain: true,
    version: true,
    paths: true,
    triggers: true,
    renewBeforeSeconds: true,
    timeoutSeconds: true,
    jobId: true,
    deploymentType: true,
    features: true,
    mirror: true,
    expectedSha256: true,
    chart: true,
    chartTakesDigest: true,
    chartVersion: true,
    chartRepository: true,
    releaseName: true,
    namespace: true,
    values: true,
    rolloutTimeoutSeconds: true,
    kubeconfig: true,
};

/**
 * A documentation site on Kubernetes, in one declaration: its export, optionally a durable copy of the bundle, and a
 * Helm release that serves it. The bundle is fetched and examined before anything is rolled out; a rollout that fails
 * is undone, and the site that is live stays; where kubectl reaches the cluster, `pulumi up` shows what its pods said,
 * which Helm does not (beside a Kubernetes provider of your own it needs `kubeconfig`). Destroying it removes the
 * release; the mirror's copy stays unless `mirror.deleteOnRemoval` says otherwise.
 */
export class DocumentationSite extends pulumi.ComponentResource {
    readonly bundle: StaticExportBundle;
    readonly check: BundleCheck;
    /** Undefined without `mirror`. */
    readonly mirror: BundleMirror | undefined;
    readonly release: Release;
    /** The export job that is served. */
    readonly jobId: pulumi.Output<string>;
    /**
     * SHA-256 of the bundle that was examined. With a mirror or `expectedSha256` the pods serve nothing else; else they
     * serve what the platform packs for their link, which may differ in bytes.
     */
    readonly sha256: pulumi.Output<string>;
    /** What the feature matrix says of each feature in this type of deployment. */
    readonly featureSupport: Readonly<Record<keyof SiteFeatures, Availability>>;

    /** @throws ResourceError when the arguments contradict the feature matrix or each other */
    constructor(name: string, args: DocumentationSiteArgs, opts?: pulumi.ComponentResourceOptions) {
        const chart = chartOf(args);
        assertUsable("DocumentationSite", name, findProblem(args, chart));
        super("static-export:index:DocumentationSite", name, {}, opts);
        const { mirror, expectedSha256 } = args;

        this.bundle = new StaticExportBundle(
            name,
            // The link is only what the mirror copies from, so its death is no reason for an update.
            { ...exportArgs(args), ...(mirror ? { renewLink: false } : {}) },
            { parent: this },
        );
        const { jobId } = this.bundle;
        // The mirror takes a link of its own, so only its copy itself tells what the pods will fetch.
        this.mirror = mirror && new BundleMirror(name, { jobId, ...mirror }, { parent: this });
        this.check = new BundleCheck(
            name,
            {
                jobId,
                ...(mirror && this.mirror ? { mirror: copyOf(mirror, this.mirror) } : {}),
                ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
                ...(takesDigest(args) ? bundleLimits(args.values) : {}),
            },
            { parent: this },
        );
        this.jobId = jobId;
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
                        // A rollout that fails is undone, by a deadline, and leaves nothing half-made or locked.
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
            // What policies read: an argument of a component would show a difference in stacks that exist.
            deploymentType: args.deploymentType,
            features: args.features ?? {},
        });
    }

    /** Shows the reasons of pods that do not start while the release is under way. */
    #explainRollout(args: DocumentationSiteArgs, name: string): void {
        const access = takesDigest(args) ? this.#clusterAccess(args.kubeconfig) : undefined;
        if (access === undefined) {
            return;
        }
        if (!isOnPath("kubectl")) {
            const message = "kubectl is not on PATH: a rollout that fails cannot show what its pods said.";
            void pulumi.log.warn(message, this);
            return;
        }
        if (pulumi.runtime.isDryRun()) {
            return;
        }
        const done = new AbortController();
        const { namespace = "default", releaseName = name } = args;
        // The last two because the rollout waits for them.
        const start = pulumi.all([namespace, releaseName, access, this.check.sha256, this.#link]);
        start.apply(([space, release, reached]) => {
            const listPods = listPodsWithKubectl(space, release, reached);
            const report = (line: string) => void pulumi.log.warn(line, this);
            void watchRollout({ listPods, report, signal: done.signal });
        });
        this.release.status.apply(() => done.abort());
    }

    /** Undefined where a provider was given, which nobody can ask for its cluster, and nothing beside it. */
    #clusterAccess(kubeconfig: pulumi.Input<string> | undefined): pulumi.Input<ClusterAccess> | undefined {
        if (kubeconfig !== undefined) {
            return pulumi.output(kubeconfig).apply((given) => ({ kubeconfig: given }));
        }
        if (this.getProvider("kubernetes:helm.sh/v3:Release") !== undefined) {
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
            staticExport: {
                ...(typeof given === "object" ? given : {}),
                enabled: true,
                bundleUrl: this.#link,
                // A site that was given no label is pinned to the job that exported it.
                version: args.version ?? this.bundle.jobId,
                ...(takesDigest(args) && hasFixedBytes(args) ? { sha256: this.check.sha256 } : {}),
            },
        };
    }
}

/**
 * Whether the pods may be held to a digest. The platform promises the same export behind a renewed link, and not the
 * same bytes: held to those of an earlier link, pods that start after a renewal would have no site.
 */
function hasFixedBytes({ mirror, expectedSha256 }: DocumentationSiteArgs): boolean {
    return mirror !== undefined || expectedSha256 !== undefined;
}

function copyOf(args: Omit<BundleMirrorArgs, "jobId">, { sha256 }: BundleMirror): MirroredCopyArgs {
    const { bucket, prefix, endpoint, region, pathStyle } = args;
    const given = Object.entries({ prefix, endpoint, region, pathStyle }).filter(([, value]) => value !== undefined);
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
        findWrongInput({ ...args }, inputs) ??
        findUnsupported(args.deploymentType, args.features) ??
        findChartProblem(chart, programFolder()) ??
        findLinkProblem(args) ??
        (args.mirror === undefined ? undefined : findMissingAwsSdk())
    );
}

function findLinkProblem({ deploymentType, mirror }: DocumentationSiteArgs): string | undefined {
    return deploymentType === "air-gapped" && mirror === undefined
        ? "an air-gapped deployment cannot reach the platform's link: set mirror, to a bucket that its network reaches"
        : undefined;
}

function exportArgs(args: DocumentationSiteArgs): StaticExportBundleArgs {
    const { domain, version, paths, triggers, renewBeforeSeconds, timeoutSeconds, jobId } = args;
    const given = { version, paths, triggers, renewBeforeSeconds, timeoutSeconds, jobId };
    return { domain, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
