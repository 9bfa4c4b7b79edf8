import { type DeploymentType, featureMatrix } from "@pulumi-static-export/contract";

/** An operator's settings for the features of sites. */
export interface DeploymentOptions {
    /**
     * Determines which features pages get besides their text, according to the contract's matrix.
     * @default client-hosted
     */
    deployment?: DeploymentType;
    /** Keeps the forms that send requests in an air-gapped export. @default false */
    acknowledgeTryIt?: boolean;
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
    /** The panel of the assistant, which works if the deployment provides one. */
    readonly assistant: boolean;
    /** Third-party services, such as analytics. */
    readonly services: boolean;
    /** A server of the Model Context Protocol at the site's address. */
    readonly mcp: boolean;
}

export const defaultDeployment: DeploymentType = "client-hosted";

/** The rows of the contract's matrix. */
export function featuresOf(options: DeploymentOptions): ExportFeatures {
    const { deployment = defaultDeployment, acknowledgeTryIt = false, answer = false } = options;
    const { aiAssistant, documentationSearch, apiPlayground, webAnalytics } = featureMatrix;
    const hasSearch = documentationSearch[deployment] !== "unavailable";
    return {
        search: hasSearch,
        tryIt:
            apiPlayground[deployment] === "available" ||
            (apiPlayground[deployment] === "configurable" && acknowledgeTryIt),
        aiTools: aiAssistant[deployment] !== "unavailable",
        assistant: aiAssistant[deployment] !== "unavailable",
        services: webAnalytics[deployment] !== "unavailable",
        mcp: answer && hasSearch,
    };
}
