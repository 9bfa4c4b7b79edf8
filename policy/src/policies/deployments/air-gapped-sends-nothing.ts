import type { PolicyResource } from "@pulumi/policy";
import { isBucketSite, isCheck } from "@pulumi-static-export/contract";
import { bundlesBehind, exportsOfJob, findExportReleases } from "../../releases/export-releases.js";
import { isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { knownValue } from "../../resources/look-up.js";
import type { StackRule } from "../../resources/rule.js";
import { isCheckOf } from "./checks.js";
import { type DeploymentConfig, deploymentSchema, deploymentTypeOf } from "./deployment-type.js";

const maxNamed = 5;

/** A preview exports nothing, so this rule relies on the last check of the bundle. */
export const airGappedSendsNothing: StackRule = {
    name: "air-gapped-sends-nothing",
    description: "The pages of an air-gapped site send nothing out of its network, according to the last BundleCheck.",
    why: "Requests that fail make pages slow, and may reveal their readers.",
    enforcementLevel: "mandatory",
    severity: "high",
    configSchema: { properties: deploymentSchema },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const config = args.getConfig<DeploymentConfig>();
        const report = (kind: string, served: PolicyResource, bundles: readonly PolicyResource[]) => {
            if (deploymentTypeOf(served, config) !== "air-gapped") {
                return;
            }
            for (const check of resources.filter(isCheck)) {
                const sends = bundles.some((bundle) => isCheckOf(check, bundle)) ? textsOf(check) : [];
                if (sends.length > 0) {
                    reportViolation(
                        `${describeResource(kind, served.urn)} runs air-gapped, and its pages send ` +
                            `${describe(sends)} (${describeResource("BundleCheck", check.urn)}). Export the site ` +
                            'with deployment: "air-gapped", or with static-export build --deployment air-gapped: ' +
                            "both leave out third-party services. Move pictures and frames of other hosts " +
                            "into the site.",
                        served.urn,
                    );
                }
            }
        };
        for (const { release, sections, sources } of findExportReleases(resources)) {
            if (sections.some(isEnabled)) {
                report("Release", release, bundlesBehind(sources));
            }
        }
        for (const site of resources.filter(isBucketSite)) {
            report("BucketSite", site, exportsOfJob(site));
        }
    },
};

function textsOf(check: PolicyResource): string[] {
    const sends = knownValue(check.props, "sends");
    return (Array.isArray(sends) ? (sends as unknown[]) : []).filter((text) => typeof text === "string");
}

function describe(sends: readonly string[]): string {
    const further = sends.length - maxNamed;
    return sends.slice(0, maxNamed).join("; ") + (further > 0 ? `; and ${further} more` : "");
}
