import type { PolicyResource } from "@pulumi/policy";
import { findExportReleases } from "../../releases/export-releases.js";
import { describeResource } from "../../resources/describe-resource.js";
import { knownValue, lookUp, valueOf } from "../../resources/look-up.js";
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
        "A site uses only features that its deployment type offers, " +
        "and acknowledges those that depend on the environment.",
    why: "An unavailable feature leaves readers with controls that do not work.",
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
        for (const { resource, kind, switchedOn, configured } of findSites(resources, config)) {
            const deploymentType = deploymentTypeOf(resource, config);
            for (const feature of deploymentType === undefined ? [] : switchedOn) {
                const problem = findProblem(feature, deploymentType!, {
                    acknowledged: [...(config.acknowledged ?? []), ...configured],
                });
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
    /** Features whose required setting is present. */
    configured: Feature[];
}

/** The settings of features that depend on the environment. */
const settings: Readonly<Record<Feature, string>> = {
    documentationSearch: "features.documentationSearch of the chart's values, and an export with search",
    aiAssistant:
        "answer.enabled and answer.assistant.endpoint of the chart's values, or answer of the DocumentationSite",
    webAnalytics: "integrations in docs.json, with the keys of the services",
    apiPlayground: "an API that readers' browsers reach, and an export for the deployment type client-hosted",
};

function findSites(resources: readonly PolicyResource[], { featureValues = {} }: Config): Site[] {
    const sites = resources
        .filter(({ type }) => type === siteType)
        .map((resource) => ({
            resource,
            kind: "DocumentationSite",
            switchedOn: features.filter((feature) => isOn(resource.props, ["features", feature])),
            configured: [],
        }));
    const releases = findExportReleases(resources)
        .filter(({ release }) => siteOf(release) === undefined)
        .map(({ release, sections }) => ({
            resource: release,
            kind: "Release",
            switchedOn: features.filter((feature) => {
                const path = featureValues[feature]?.split(".");
                const isAssistant = feature === "aiAssistant";
                return sections.some(
                    ({ chartValues }) =>
                        (path !== undefined && isOn(chartValues, path)) ||
                        isOn(chartValues, ["features", feature]) ||
                        (isAssistant && hasAssistant(chartValues)),
                );
            }),
            configured: sections.some(({ chartValues }) => hasAssistant(chartValues)) ? ["aiAssistant" as const] : [],
        }));
    return [...sites, ...releases];
}

/** The chart documentation-site enables its assistant when the endpoint of a model is set. */
function hasAssistant(chartValues: unknown): boolean {
    const endpoint = lookUp(chartValues, "answer", "assistant", "endpoint");
    return isOn(chartValues, ["answer", "enabled"]) && endpoint.kind !== "absent" && valueOf(endpoint) !== "";
}

function isOn(from: unknown, path: readonly string[]): boolean {
    return knownValue(from, ...path) === true;
}

function findProblem(
    feature: Feature,
    type: DeploymentType,
    { acknowledged = [] }: Pick<Config, "acknowledged">,
): string | undefined {
    const availability = featureMatrix[feature][type];
    if (availability === "unavailable") {
        return (
            `switches ${feature} on, which is unavailable in deployments of type ${type}: visitors would see ` +
            "controls that never work. Switch the feature off."
        );
    }
    if (availability === "configurable" && !acknowledged.includes(feature)) {
        return (
            `switches ${feature} on, which in deployments of type ${type} depends on how the environment is set up. ` +
            `It needs ${settings[feature]}. Set this up, then add ${feature} to "acknowledged" in this policy's ` +
            "configuration."
        );
    }
    return undefined;
}
