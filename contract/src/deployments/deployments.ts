/** Where the platform's self-hosted part runs. */
export type DeploymentType = "cloud" | "client-hosted" | "air-gapped";

export const deploymentTypes: readonly DeploymentType[] = ["cloud", "client-hosted", "air-gapped"];
