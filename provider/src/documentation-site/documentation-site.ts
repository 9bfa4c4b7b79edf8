import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import { type Availability, releaseType, type SiteFeatures, siteType } from "@pulumi-static-export/contract";
import { BundleMirror } from "../bundle-mirror/bundle-mirror.js";
import { StaticExportJob } from "../static-export-job/static-export-job.js";
import { StaticExportBundle } from "../static-export-bundle/static-export-bundle.js";
import { BundleCheck } from "../bundle-check/bundle-check.js";
import { assertUsable } from "../program/assert-usable.js";
import { isOnPath } from "../program/is-on-path.js";
import { withoutStackTraces } from "../program/stack-traces.js";
import { recordOf, releaseInputs } from "./chart.js";
import { chartOf, type DocumentationSiteArgs, findProblem, takesDigest } from "./documentation-site-args.js";
import { featureSupport } from "./feature-support.js";
import { type ClusterAccess, listPodsWithKubectl, watchRollout } from "./rollout-watch.js";
import { findMissingSetting } from "./site-answer.js";
import { bundleInputs, checkInputs, exportInputs, siteValues } from "./site-resources.js";

/**
 * A documentation site on Kubernetes in one declaration: its export, optionally a durable copy of the bundle, and a
 * Helm release that serves it. Names and values are checked before the export starts, and the bundle is checked before
 * anything is rolled out. A failed rollout is rolled back, so the live site stays up. If kubectl reaches the cluster, `pulumi up` shows why the pods did not start. The mirror's
 * copy stays unless `mirror.deleteOnRemoval` is set.
 *
 * @example
 * ```ts
 * import { DocumentationSite } from "pulumi-static-export/site";
 *
 * const site = new DocumentationSite("docs", {
 *     domain: "docs.example.com",
 *     version: "2026-11-01",
 *     deploymentType: "client-hosted",
 *     namespace: "docs",
 * });
 *
 * export const digest = site.sha256;
 * ```
 */
export class DocumentationSite extends pulumi.ComponentResource {
    /** The {@link StaticExportJob}. Undefined without `separateStart`. */
    readonly job: StaticExportJob | undefined;
    /** The {@link StaticExportBundle}. */
    readonly bundle: StaticExportBundle;
    /** The {@link BundleCheck}, on which the release depends. */
    readonly check: BundleCheck;
    /** The {@link BundleMirror}. Undefined without the input `mirror`. */
    readonly mirror: BundleMirror | undefined;
    /** The Helm release of the Kubernetes package. */
    readonly release: Release;
    /** The export job whose bundle is served. */
    readonly jobId: pulumi.Output<string>;
    /**
     * SHA-256 of the checked bundle. With a mirror or `expectedSha256`, the chart of this package serves exactly these
     * bytes.
     */
    readonly sha256: pulumi.Output<string>;
    /** The feature matrix for this type of deployment. */
    readonly featureSupport: Readonly<Record<keyof SiteFeatures, Availability>>;

    /** @throws ResourceError when the arguments contradict the feature matrix or each other */
    constructor(name: string, args: DocumentationSiteArgs, opts?: pulumi.ComponentResourceOptions) {
        assertUsable("DocumentationSite", name, findProblem(name, args));
        super(siteType, name, {}, opts);
        const { mirror } = args;
        this.job = args.separateStart ? new StaticExportJob(name, exportInputs(args), { parent: this }) : undefined;
        this.bundle = new StaticExportBundle(name, bundleInputs(args, this.job?.jobId), { parent: this });
        const { jobId } = this.bundle;
        this.mirror = mirror && new BundleMirror(name, { jobId, ...mirror }, { parent: this });
        const copy = mirror && this.mirror && { args: mirror, sha256: this.mirror.sha256 };
        this.check = new BundleCheck(name, { jobId, ...checkInputs(args, copy, takesDigest(args)) }, { parent: this });
        this.jobId = mirror?.pin === undefined ? jobId : pulumi.output(mirror.pin);
        this.sha256 = this.check.sha256;
        this.featureSupport = featureSupport(args.deploymentType);
        const missing = findMissingSetting({ ...args, takesDigest: takesDigest(args) });
        if (missing !== undefined) {
            void pulumi.log.warn(missing, this);
        }
        const release = releaseInputs(name, args, chartOf(args), this.#values(args));
        this.release = withoutStackTraces(() => new Release(name, release, { parent: this, dependsOn: this.check }));
        this.#explainRollout(args, name);
        this.registerOutputs({
            jobId: this.jobId,
            sha256: this.sha256,
            release: this.release.name,
            // Outputs for policies. As arguments of the component, the same values would cause a diff in existing
            // stacks.
            deploymentType: args.deploymentType,
            features: args.features ?? {},
        });
    }

    /** Shows why the release's pods do not start, while the release is being installed. */
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
        // The watch starts with the rollout, which waits for the last two values.
        const start = pulumi.all([namespace, releaseName, access, this.check.sha256, this.#link]);
        start.apply(([space, release, reached]) => {
            const listPods = listPodsWithKubectl(space, release, reached);
            const report = (line: string) => void pulumi.log.warn(line, this);
            void watchRollout({ listPods, report, signal: done.signal });
        });
        this.release.status.apply(() => done.abort());
    }

    /**
     * Returns undefined if a provider was passed without `kubeconfig`, because a provider does not reveal its cluster.
     */
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
        const { features, staticExport } = recordOf(args.values);
        const site = { ...args, takesDigest: takesDigest(args) };
        const bundle = { link: this.#link, jobId: this.bundle.jobId, sha256: this.check.sha256 };
        const given = { features: recordOf(features), staticExport: recordOf(staticExport) };
        return { ...args.values, ...siteValues(site, bundle, given) };
    }
}
