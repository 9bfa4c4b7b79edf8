import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import { type Availability, releaseType, type SiteFeatures, siteType } from "@pulumi-static-export/contract";
import { BundleMirror, type BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { definedOnly } from "../engine/defined-only.js";
import { StaticExportJob } from "../static-export-job/static-export-job.js";
import { StaticExportBundle } from "../static-export-bundle/static-export-bundle.js";
import { BundleCheck, type MirroredCopyArgs } from "../bundle-check/bundle-check.js";
import { assertUsable } from "../program/assert-usable.js";
import { isOnPath } from "../program/is-on-path.js";
import { withoutStackTraces } from "../program/stack-traces.js";
import { bundleLimits, recordOf, releaseInputs } from "./chart.js";
import {
    chartOf,
    type DocumentationSiteArgs,
    findProblem,
    hasFixedBytes,
    takesDigest,
} from "./documentation-site-args.js";
import { featureSupport, featureValues } from "./feature-support.js";
import { type ClusterAccess, listPodsWithKubectl, watchRollout } from "./rollout-watch.js";
import { keepsReadersApart } from "./site-access.js";
import { answerValues, findMissingSetting } from "./site-answer.js";

/**
 * A documentation site on Kubernetes in one declaration: its export, optionally a durable copy of the bundle, and a
 * Helm release that serves it. The bundle is checked before anything is rolled out. A failed rollout is rolled back, so
 * the live site stays, and if kubectl reaches the cluster, `pulumi up` shows why its pods did not start (with your own
 * Kubernetes provider, set `kubeconfig`). Destroying it removes the release; the mirror's copy stays unless
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
    /** The feature matrix for this type of deployment. */
    readonly featureSupport: Readonly<Record<keyof SiteFeatures, Availability>>;

    /** @throws ResourceError when the arguments contradict the feature matrix or each other */
    constructor(name: string, args: DocumentationSiteArgs, opts?: pulumi.ComponentResourceOptions) {
        assertUsable("DocumentationSite", name, findProblem(args));
        super(siteType, name, {}, opts);
        const { domain, version, paths, triggers, mirror, expectedSha256, renewBeforeSeconds, timeoutSeconds } = args;
        const wanted = { domain, ...definedOnly({ version, paths, triggers }) };
        this.job = args.separateStart ? new StaticExportJob(name, wanted, { parent: this }) : undefined;
        this.bundle = new StaticExportBundle(
            name,
            {
                // Only the job determines the exported content, and its id changes with that content.
                ...(this.job ? { domain, jobId: this.job.jobId } : wanted),
                ...definedOnly({ renewBeforeSeconds, timeoutSeconds, jobId: args.jobId }),
                // Only the mirror uses a link, and it requests a fresh one, so an expired link needs no update.
                ...(mirror ? { renewLink: false } : {}),
            },
            { parent: this },
        );
        const { jobId } = this.bundle;
        // With a mirror, the copy is checked, because the pods fetch it.
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
            // Outputs for policies. As arguments of the component, they would cause a diff in existing stacks.
            deploymentType: args.deploymentType,
            features: args.features ?? {},
        });
    }

    /** Shows during the installation of the release why its pods do not start. */
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

    /** Undefined if a provider was passed without `kubeconfig`, because a provider does not reveal its cluster. */
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
            ...answerValues(args),
            ...featureValues({ ...args, takesDigest: takesDigest(args) }, recordOf(args.values?.features)),
            staticExport: {
                ...(typeof given === "object" ? given : {}),
                enabled: true,
                bundleUrl: this.#link,
                // Without a version, the export job identifies the site, also for a pinned earlier export.
                version: args.mirror?.pin ?? args.version ?? this.bundle.jobId,
                ...(takesDigest(args) && hasFixedBytes(args) ? { sha256: this.check.sha256 } : {}),
            },
        };
    }
}

function copyOf(args: Omit<BundleMirrorArgs, "jobId">, { sha256 }: BundleMirror): MirroredCopyArgs {
    const { bucket, prefix, endpoint, region, pathStyle, pin } = args;
    return { bucket, ...definedOnly({ prefix, endpoint, region, pathStyle, pin }), sha256 };
}
