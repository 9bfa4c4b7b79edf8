export const deploymentTypes = ["cloud", "client-hosted", "air-gapped"] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

/** The features of an exported site that depend on its deployment. An export never has an assistant or analytics. */
export interface ExportFeatures {
    readonly search: boolean;
    /** Forms that send requests to the API from the reader's browser. */
    readonly tryIt: boolean;
}

/** The rows of the contract's matrix for search and "Try it". */
export function featuresOf(deployment: DeploymentType, acknowledgeTryIt: boolean): ExportFeatures {
    const isAirGapped = deployment === "air-gapped";
    return { search: !isAirGapped, tryIt: !isAirGapped || acknowledgeTryIt };
}
