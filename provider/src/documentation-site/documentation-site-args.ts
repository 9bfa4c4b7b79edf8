import type * as pulumi from "@pulumi/pulumi";
import { type DeploymentType, exportInputNames, type SiteFeatures } from "@pulumi-static-export/contract";
import { type BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { findWrongInput, type InputKind } from "../program/component-inputs.js";
import { findMissingAwsSdk } from "../program/find-missing-sdk.js";
import { documentationSiteChart } from "../program/packaged-charts.js";
import { programFolder } from "../program/find-installation-problem.js";
import { type StaticExportBundleArgs } from "../static-export-bundle/static-export-bundle.js";
import { type SiteChart, siteChart } from "./chart.js";
import { findSiteProblem } from "./find-site-problem.js";
import { type SiteAccessArgs } from "./site-access.js";
import { type SiteAnswerArgs } from "./site-answer.js";

/** The arguments of a DocumentationSite. */
export interface DocumentationSiteArgs extends Omit<StaticExportBundleArgs, "renewLink"> {
    /** Where the site is deployed. The feature matrix of the API contract depends on this value. */
    deploymentType: DeploymentType;
    /**
     * Switches for the export's features: false turns a feature off. In an air-gapped deployment, only features that
     * are set to true are on. With your own `chart`, they have an effect only with `chartTakesDigest`.
     * @default as exported
     */
    features?: SiteFeatures;
    /**
     * Starts the export with a separate `StaticExportJob`, so that Pulumi saves the job's id before the wait. For
     * platforms that do not honour `Idempotency-Key`.
     * @default false
     */
    separateStart?: boolean;
    /**
     * The inputs of a {@link BundleMirror}, which copies the bundle to your own bucket, so that pods can start after
     * the platform's link has expired. Required for an air-gapped deployment.
     */
    mirror?: Omit<BundleMirrorArgs, "jobId">;
    /**
     * The SHA-256 digest that the bundle must have, in hexadecimal, for an export that was checked elsewhere. Use it
     * with a mirror: the platform does not promise the same bytes for each link.
     */
    expectedSha256?: pulumi.Input<string>;
    /**
     * A folder relative to the program, an `oci://` URL, or the name of a chart in `chartRepository`. Your own chart
     * must take the `staticExport` values.
     * @default the chart in this package (see `documentationSiteChart`)
     */
    chart?: string;
    /**
     * Whether `chart` is a copy of the chart in this package, which verifies `staticExport.sha256`.
     * @default true when `chart` is omitted
     */
    chartTakesDigest?: boolean;
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
    /**
     * How the pods identify readers of private pages, in a bundle exported with `--access`: exactly one of `header` and
     * `oidc`. Without this input, such a bundle is refused.
     */
    access?: SiteAccessArgs;
    /** Serves search, pages and MCP for programs at the site's own address. Requires Kubernetes 1.29 or later. */
    answer?: SiteAnswerArgs;
    /** Further values of the chart. */
    values?: Record<string, unknown>;
    /**
     * How long, in seconds, a rollout may take before it is rolled back.
     * @default 600
     */
    rolloutTimeoutSeconds?: pulumi.Input<number>;
    /**
     * A kubeconfig file, or its content, with which `pulumi up` shows why pods do not start. It is not stored.
     * @default the settings of the default provider; none with another provider
     */
    kubeconfig?: pulumi.Input<string>;
}

function inputsOfKind<Name extends string>(names: readonly Name[], kind: InputKind): Record<Name, InputKind> {
    return Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, InputKind>;
}

/** Lists every input, so that a misspelt input is reported in JavaScript programs, too. */
const inputs: Record<keyof DocumentationSiteArgs, InputKind> = {
    domain: "input",
    ...inputsOfKind(exportInputNames, "input"),
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
    answer: "record",
    values: "record",
    rolloutTimeoutSeconds: "input",
    kubeconfig: "input",
};

const required = { domain: "domain is required: the host name of the documentation site" };

export function takesDigest({ chart, chartTakesDigest = chart === undefined }: DocumentationSiteArgs): boolean {
    return chartTakesDigest;
}

export function chartOf({ chart = documentationSiteChart(), ...others }: DocumentationSiteArgs): SiteChart {
    return siteChart({ ...others, chart });
}

/** Returns why the site cannot be created, or undefined. */
export function findProblem(name: string, args: DocumentationSiteArgs): string | undefined {
    return (
        findWrongInput({ ...args }, inputs, required) ??
        findSiteProblem(name, { ...args, chart: chartOf(args), takesDigest: takesDigest(args) }, programFolder()) ??
        (args.mirror === undefined ? undefined : findMissingAwsSdk())
    );
}
