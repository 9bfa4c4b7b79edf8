/** Where the platform's self-hosted part runs. */
export type DeploymentType = "cloud" | "client-hosted" | "air-gapped";

/** "configurable": depends on how the environment is set up. */
export type Availability = "available" | "configurable" | "unavailable";

/** The optional features of a site; the static export itself is available everywhere. */
export interface SiteFeatures {
    documentationSearch?: boolean;
    aiAssistant?: boolean;
    webAnalytics?: boolean;
    /** The "Try it" panel. */
    apiPlayground?: boolean;
}

type Feature = keyof SiteFeatures;
type Row = Readonly<{ title: string } & Record<DeploymentType, Availability>>;

export const deploymentTypes: readonly DeploymentType[] = ["cloud", "client-hosted", "air-gapped"];

/** docs/reference/admin-api.md, "Feature support by deployment type". */
const matrix: Readonly<Record<Feature, Row>> = {
    documentationSearch: row("Documentation search", "available", "configurable", "unavailable"),
    aiAssistant: row("AI assistant", "available", "configurable", "unavailable"),
    webAnalytics: row("Web analytics", "available", "configurable", "unavailable"),
    apiPlayground: row('API playground ("Try it")', "available", "available", "configurable"),
};

function row(title: string, cloud: Availability, clientHosted: Availability, airGapped: Availability): Row {
    return { title, cloud, "client-hosted": clientHosted, "air-gapped": airGapped };
}

/** The availability of each feature in this type of deployment. */
export function featureSupport(deploymentType: DeploymentType): Record<Feature, Availability> {
    return Object.fromEntries(
        Object.entries(matrix).map(([feature, support]) => [feature, support[deploymentType]]),
    ) as Record<Feature, Availability>;
}

/** Describes the first unsupported input, with its row of the matrix; undefined when all are supported. */
export function findUnsupported(deploymentType: unknown, features: SiteFeatures = {}): string | undefined {
    if (!deploymentTypes.includes(deploymentType as DeploymentType)) {
        return `deploymentType must be one of ${deploymentTypes.join(", ")}, got ${JSON.stringify(deploymentType)}`;
    }
    for (const [feature, wanted] of Object.entries(features)) {
        if (!Object.hasOwn(matrix, feature)) {
            return `features.${feature} is not a feature; the features are ${Object.keys(matrix).join(", ")}`;
        }
        const support = matrix[feature as Feature];
        if (wanted === true && support[deploymentType as DeploymentType] === "unavailable") {
            return (
                `features.${feature} cannot be true: ${support.title} is unavailable in deployments of type ` +
                `${String(deploymentType)}. The row of the feature matrix: ${describe(support)}. ` +
                `Leave it out or set it to false`
            );
        }
    }
    return undefined;
}

function describe(support: Row): string {
    return [support.title, ...deploymentTypes.map((type) => `${type}: ${support[type]}`)].join(" | ");
}
