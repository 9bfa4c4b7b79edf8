import { type DeploymentType, featureMatrix } from "@pulumi-static-export/contract";

/** The features of an exported site that depend on its deployment. An export never has an assistant or analytics. */
export interface ExportFeatures {
    readonly search: boolean;
    /** Forms that send requests to the API from the reader's browser. */
    readonly tryIt: boolean;
}

/** The rows of the contract's matrix about search and "Try it". */
export function featuresOf(deployment: DeploymentType, acknowledgeTryIt: boolean): ExportFeatures {
    const { documentationSearch, apiPlayground } = featureMatrix;
    return {
        search: documentationSearch[deployment] !== "unavailable",
        tryIt:
            apiPlayground[deployment] === "available" ||
            (apiPlayground[deployment] === "configurable" && acknowledgeTryIt),
    };
}
