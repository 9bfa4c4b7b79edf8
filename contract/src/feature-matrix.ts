/** The environments where the platform's self-hosted part can run. */
export type DeploymentType = "cloud" | "client-hosted" | "air-gapped";

export const deploymentTypes: readonly DeploymentType[] = ["cloud", "client-hosted", "air-gapped"];

/** "configurable" means that the feature's availability depends on the setup of the environment. */
export type Availability = "available" | "configurable" | "unavailable";

/** The optional features of a site; the static export itself is available everywhere. */
export interface SiteFeatures {
    /** The search in the site's pages. */
    documentationSearch?: boolean;
    /** The assistant that answers readers' questions. */
    aiAssistant?: boolean;
    /** Analytics, which count page views. */
    webAnalytics?: boolean;
    /** The "Try it" panel. */
    apiPlayground?: boolean;
}

export type Feature = keyof SiteFeatures;

/** A feature's display name, and its availability in each type of deployment. */
export type FeatureSupport = Readonly<{ title: string } & Record<DeploymentType, Availability>>;

/** The table "Feature support by deployment type" in docs/reference/admin-api.md. */
export const featureMatrix: Readonly<Record<Feature, FeatureSupport>> = {
    documentationSearch: row("Documentation search", "available", "configurable", "unavailable"),
    aiAssistant: row("AI assistant", "available", "configurable", "unavailable"),
    webAnalytics: row("Web analytics", "available", "configurable", "unavailable"),
    apiPlayground: row('API playground ("Try it")', "available", "available", "configurable"),
};

export const features = Object.keys(featureMatrix) as readonly Feature[];

function row(title: string, cloud: Availability, clientHosted: Availability, airGapped: Availability): FeatureSupport {
    return { title, cloud, "client-hosted": clientHosted, "air-gapped": airGapped };
}
