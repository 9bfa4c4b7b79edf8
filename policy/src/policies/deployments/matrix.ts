export type DeploymentType = "cloud" | "client-hosted" | "air-gapped";
export type Availability = "available" | "configurable" | "unavailable";
export type Feature = "documentationSearch" | "aiAssistant" | "webAnalytics" | "apiPlayground";

export const deploymentTypes: readonly DeploymentType[] = ["cloud", "client-hosted", "air-gapped"];

/** The contract's "Feature support by deployment type". The static export itself is available everywhere. */
export const featureMatrix: Readonly<Record<Feature, Readonly<Record<DeploymentType, Availability>>>> = {
    documentationSearch: { cloud: "available", "client-hosted": "configurable", "air-gapped": "unavailable" },
    aiAssistant: { cloud: "available", "client-hosted": "configurable", "air-gapped": "unavailable" },
    webAnalytics: { cloud: "available", "client-hosted": "configurable", "air-gapped": "unavailable" },
    apiPlayground: { cloud: "available", "client-hosted": "available", "air-gapped": "configurable" },
};

export const features = Object.keys(featureMatrix) as readonly Feature[];
