import { namedContext } from "@pulumi-static-export/cluster";

const otherwise = "deploy examples/helm-release with your platform's API";

/**
 * Throws if the pods of a new cluster could not reach the admin service on this machine.
 *
 * @throws for the user's own cluster, and if kind's Docker runs in a virtual machine.
 */
export function assertPodsWillReachUs(platform: NodeJS.Platform = process.platform): void {
    const context = namedContext();
    if (context !== undefined) {
        throw new Error(
            `The quickstart cannot use the context "${context}", which STATIC_EXPORT_KUBE_CONTEXT names: the pods of ` +
                "your own cluster do not reach its admin service, which is on this machine only. " +
                `Unset the variable to use a cluster on this machine, or ${otherwise}.`,
        );
    }
    if (platform !== "linux") {
        throw new Error(
            `The quickstart serves from Kubernetes only on Linux, but this is ${platform}: elsewhere, Docker runs in ` +
                "a virtual machine, whose pods do not reach the admin service on this machine. " +
                `Leave out --kubernetes, or ${otherwise}.`,
        );
    }
}

/** @throws for a new cluster without a known address at which its pods reach this machine. */
export function hostAddressOf({ name, hostAddress }: { name: string; hostAddress?: string }): string {
    if (hostAddress === undefined) {
        throw new Error(
            `Cluster ${name} does not have kind's network ("docker network inspect kind"), through which its ` +
                "pods would reach the quickstart's admin service on this machine. Unset " +
                "KIND_EXPERIMENTAL_DOCKER_NETWORK if it is set, set STATIC_EXPORT_CLUSTER=local to run without " +
                `Docker, or ${otherwise}.`,
        );
    }
    return hostAddress;
}
