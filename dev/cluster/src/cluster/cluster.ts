/** A Kubernetes cluster that is up. */
export interface Cluster {
    readonly name: string;
    /** How the cluster was created: by the user, by kind, or as one node that this package started. */
    readonly kind: ClusterKind;
    /** Path of a kubeconfig file that only this user can read; its current context is this cluster. */
    readonly kubeconfig: string;
    /** Path of a kubectl whose version matches the cluster. */
    readonly kubectl: string;
    /** The address at which this machine reaches Services of type NodePort; unknown for the user's own cluster. */
    readonly nodeAddress?: string;
    /** An address of this machine that pods can reach, for servers to bind to; unknown for the user's own cluster. */
    readonly hostAddress?: string;
    /** Preloaded images, if the cluster cannot reach a registry. */
    readonly images?: ClusterImages;
}

export type ClusterKind = "context" | "kind" | "local";

export interface ClusterImages {
    /** Replaces nginxinc/nginx-unprivileged. */
    readonly nginx: string;
    /** Replaces node:24-alpine. */
    readonly node: string;
}

export interface ClusterStatus {
    readonly name: string;
    /** "broken" means that parts of a cluster exist but do not work; `up` replaces a broken cluster. */
    readonly state: "absent" | "broken" | "running";
    /** The reasons why the cluster is broken, in full sentences. */
    readonly problems: readonly string[];
    /** Where it runs. */
    readonly cluster?: Cluster;
}
