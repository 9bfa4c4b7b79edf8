import type { PolicyResource } from "@pulumi/policy";
import { findExportReleases } from "../../releases/export-releases.js";
import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { type DeploymentType, type Feature, featureMatrix, features, siteType } from "@pulumi-static-export/contract";
import { type DeploymentConfig, deploymentSchema, deploymentTypeOf, siteOf } from "./deployment-type.js";
import type { StackRule } from "../../resources/rule.js";

interface Config extends DeploymentConfig {
    acknowledged?: Feature[];
    featureValues?: Partial<Record<Feature, string>>;
}

export const featureMatrixHolds: StackRule = {
    name: "feature-matrix",
    description:
        "A site uses no feature that its deployment type does not offer, and acknowledges those that depend on the environment.",
    why: "A feature that is unavailable in a deployment leaves readers with controls that do not work.",
    enforcementLevel: "mandatory",
    severity: "medium",
    configSchema: {
        properties: {
            ...deploymentSchema,
            acknowledged: {
                type: "array",
                items: { type: "string", enum: [...features] },
                default: [],
                description: "Configurable features that the environment is known to support.",
            },
            featureValues: {
                type: "object",
                properties: Object.fromEntries(features.map((feature) => [feature, { type: "string" }])),
                additionalProperties: false,
                default: {},
                description:
                    "The chart's value that switches a feature on, such as `search.enabled`, for releases without a DocumentationSite.",
            },
        },
    },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const config = args.getConfig<Config>();
        for (const { resource, kind, switchedOn } of findSites(resources, config)) {
            const deploymentType = deploymentTypeOf(resource, config);
            for (const feature of deploymentType === undefined ? [] : switchedOn) {
                const problem = findProblem(feature, deploymentType!, config);
                if (problem !== undefined) {
                    reportViolation(`${describeResource(kind, resource.urn)} ${problem}`, resource.urn);
                }
            }
        }
    },
};

interface Site {
    resource: PolicyResource;
    kind: string;
    switchedOn: Feature[];
}

function findSites(resources: readonly PolicyResource[], { featureValues = {} }: Config): Site[] {
    const sites = resources
        .filter(({ type }) => type === siteType)
        .map((resource) => ({
            resource,
            kind: "DocumentationSite",
            switchedOn: features.filter((feature) => isOn(resource.props, ["features", feature])),
        }));
    const releases = findExportReleases(resources)
        .filter(({ release }) => siteOf(release) === undefined)
        .map(({ release, sections }) => ({
            resource: release,
            kind: "Release",
            switchedOn: features.filter((feature) => {
                const path = featureValues[feature]?.split(".");
                return path !== undefined && sections.some(({ chartValues }) => isOn(chartValues, path));
            }),
        }));
    return [...sites, ...releases];
}

function isOn(from: unknown, path: readonly string[]): boolean {
    const found = lookUp(from, ...path);
    return found.kind === "known" && found.value === true;
}

function findProblem(feature: Feature, type: DeploymentType, { acknowledged = [] }: Config): string | undefined {
    const availability = featureMatrix[feature][type];
    if (availability === "unavailable") {
        return (
            `switches ${feature} on, which is unavailable in deployments of type ${type}: visitors would meet ` +
            "something that never works. Switch it off."
        );
    }
    if (availability === "configurable" && !acknowledged.includes(feature)) {
        return (
            `switches ${feature} on, which in deployments of type ${type} depends on how the environment is set up. ` +
            `Check that it has what the feature needs, then add ${feature} to "acknowledged" in this policy's ` +
            "configuration."
        );
    }
    return undefined;
}
