import {
    type Availability,
    type DeploymentType,
    deploymentTypes,
    type Feature,
    featureMatrix,
    features,
    type FeatureSupport,
    type SiteFeatures,
} from "@pulumi-static-export/contract";

/** Returns the availability of each feature in this type of deployment. */
export function featureSupport(deploymentType: DeploymentType): Record<Feature, Availability> {
    return Object.fromEntries(features.map((feature) => [feature, featureMatrix[feature][deploymentType]])) as Record<
        Feature,
        Availability
    >;
}

/** Describes the first unsupported input, with its row of the matrix. Returns undefined if all inputs are supported. */
export function findUnsupported(deploymentType: unknown, wanted: SiteFeatures = {}): string | undefined {
    if (!deploymentTypes.includes(deploymentType as DeploymentType)) {
        return `deploymentType must be one of ${deploymentTypes.join(", ")}, got ${JSON.stringify(deploymentType)}`;
    }
    for (const [feature, isWanted] of Object.entries(wanted)) {
        if (!Object.hasOwn(featureMatrix, feature)) {
            return `features.${feature} is not a feature. The features are ${features.join(", ")}`;
        }
        const support = featureMatrix[feature as Feature];
        if (isWanted === true && support[deploymentType as DeploymentType] === "unavailable") {
            return (
                `features.${feature} cannot be true: ${support.title} is unavailable in deployments of type ` +
                `${String(deploymentType)}. The row of the feature matrix: ${describe(support)}. ` +
                `Leave features.${feature} out or set it to false`
            );
        }
    }
    return undefined;
}

/** The inputs that determine which features readers see. */
interface FeatureInputs {
    deploymentType: unknown;
    features?: SiteFeatures | undefined;
    /** Whether the chart is this package's own chart or a copy of it. */
    takesDigest: boolean;
}

/**
 * Returns the chart's values that switch features off: features that are set to false, and in an air-gapped deployment
 * all features that are not set to true. Other features follow the export and the program's own values.
 *
 * @param given - `features` of the program's own values
 */
export function featureValues(
    { deploymentType, features: wanted = {}, takesDigest }: FeatureInputs,
    given: object | undefined,
): { features?: object } {
    const isOff = (feature: Feature) =>
        wanted[feature] === false || (deploymentType === "air-gapped" && wanted[feature] !== true);
    const off = takesDigest ? features.filter(isOff).map((feature) => [feature, false] as const) : [];
    return off.length === 0 ? {} : { features: { ...given, ...Object.fromEntries(off) } };
}

function describe(support: FeatureSupport): string {
    return [support.title, ...deploymentTypes.map((type) => `${type}: ${support[type]}`)].join(" | ");
}
