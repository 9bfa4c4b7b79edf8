import type { PolicyConfigSchema, PolicyResource } from "@pulumi/policy";
import { knownString } from "../../resources/look-up.js";
import { type DeploymentType, deploymentTypes, siteType } from "@pulumi-static-export/contract";

export interface DeploymentConfig {
    deploymentType?: DeploymentType;
}

/** The configuration of a policy that depends on where the platform's self-hosted part runs. */
export const deploymentSchema: PolicyConfigSchema["properties"] = {
    deploymentType: {
        type: "string",
        enum: [...deploymentTypes],
        description:
            "The deployment type of releases without a DocumentationSite. Without this setting, the rule does not " +
            "check these releases.",
    },
};

/**
 * Returns the type that the nearest DocumentationSite above the resource declares, or otherwise the type from the
 * policy's configuration.
 */
export function deploymentTypeOf(resource: PolicyResource, config: DeploymentConfig): DeploymentType | undefined {
    const declared = knownString(siteOf(resource)?.props, "deploymentType");
    return deploymentTypes.find((each) => each === declared) ?? config.deploymentType;
}

/** Returns the DocumentationSite that the resource is part of, or the resource itself if it is a DocumentationSite. */
export function siteOf(resource: PolicyResource): PolicyResource | undefined {
    for (let each: PolicyResource | undefined = resource; each !== undefined; each = each.parent) {
        if (each.type === siteType) {
            return each;
        }
    }
    return undefined;
}
