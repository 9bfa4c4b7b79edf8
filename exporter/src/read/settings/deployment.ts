import { type DeploymentType, featureMatrix } from "@pulumi-static-export/contract";

/** An operator's settings for the features of sites. */
export interface DeploymentOptions {
    /**
     * The kind of deployment, which determines which features pages have in addition to their text, according to the
     * contract's matrix.
     * @default client-hosted
     */
    deployment?: DeploymentType;
    /** Whether `static-export answer` serves the site's address as well. @default false */
    answer?: boolean;
}

/** The features of exported files that depend on their deployment. */
export interface ExportFeatures {
    readonly search: boolean;
    /** Forms that send requests to the API from the reader's browser. */
    readonly tryIt: boolean;
    /** Links that open a page in a third-party AI tool. */
    readonly aiTools: boolean;
    /** The panel of the assistant, which works if the deployment provides an assistant. */
    readonly assistant: boolean;
    /** Third-party services, such as analytics. */
    readonly services: boolean;
    /** A server of the Model Context Protocol at the site's address. */
    readonly mcp: boolean;
}

export const defaultDeployment: DeploymentType = "client-hosted";

/** Determines the features from the rows of the contract's matrix. */
export function featuresOf(options: DeploymentOptions): ExportFeatures {
    const { deployment = defaultDeployment, answer = false } = options;
    const { aiAssistant, documentationSearch, apiPlayground, webAnalytics } = featureMatrix;
    const hasSearch = documentationSearch[deployment] !== "unavailable";
    return {
        search: hasSearch,
        // "configurable": readers of an air-gapped deployment cannot be assumed to reach the API.
        tryIt: apiPlayground[deployment] === "available",
        aiTools: aiAssistant[deployment] !== "unavailable",
        assistant: aiAssistant[deployment] !== "unavailable",
        services: webAnalytics[deployment] !== "unavailable",
        mcp: answer && hasSearch,
    };
}
