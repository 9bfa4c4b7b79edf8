/** The environments where the platform's self-hosted part can run. */
export type DeploymentType = "cloud" | "client-hosted" | "air-gapped";

export const deploymentTypes: readonly DeploymentType[] = ["cloud", "client-hosted", "air-gapped"];
