import { findExportReleases } from "../../releases/export-releases.js";
import { isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { isMirror } from "@pulumi-static-export/contract";
import { type DeploymentConfig, deploymentSchema, deploymentTypeOf } from "./deployment-type.js";
import type { StackRule } from "../../resources/rule.js";

export const airGappedNeedsMirror: StackRule = {
    name: "air-gapped-needs-mirror",
    description: "An air-gapped release takes its link from a BundleMirror.",
    why: "Pods in an air-gapped network cannot reach the platform.",
    enforcementLevel: "mandatory",
    severity: "high",
    configSchema: { properties: deploymentSchema },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const config = args.getConfig<DeploymentConfig>();
        for (const { release, sections, sources } of findExportReleases(resources)) {
            const isMirrored = sources.length === 0 || sources.some(isMirror);
            const isAirGapped = deploymentTypeOf(release, config) === "air-gapped";
            if (isAirGapped && !isMirrored && sections.some(isEnabled)) {
                reportViolation(
                    `${describeResource("Release", release.urn)} runs air-gapped, and its pods cannot reach the ` +
                        "platform's link. Declare a BundleMirror with the bundle's jobId and a bucket that their " +
                        "network reaches, and use its url as the link.",
                    release.urn,
                );
            }
        }
    },
};
