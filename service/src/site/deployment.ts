export const deploymentTypes = ["cloud", "client-hosted", "air-gapped"] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

/** What an export brings along besides its pages. It never brings an assistant or analytics. */
export interface ExportFeatures {
    readonly search: boolean;
    /** Forms that send requests from the reader's browser to the API. */
    readonly tryIt: boolean;
}

/** The rows of the contract's matrix for search and "Try it". */
export function featuresOf(deployment: DeploymentType, acknowledgeTryIt: boolean): ExportFeatures {
    const isAirGapped = deployment === "air-gapped";
    return { search: !isAirGapped, tryIt: !isAirGapped || acknowledgeTryIt };
}
