/** A Kubernetes cluster that is up. */
export interface Cluster {
    readonly name: string;
    /** Whose it is: the user's own, one made by kind, or one node started by this package. */
    readonly kind: ClusterKind;
    /** Path of a kubeconfig file whose current context is this cluster; readable by this user only. */
    readonly kubeconfig: string;
    /** Path of a kubectl that suits it. */
    readonly kubectl: string;
    /** Where this machine reaches Services of type NodePort; unknown for the user's own cluster. */
    readonly nodeAddress?: string;
    /** An address of this machine that pods reach, to bind servers to; unknown for the user's own cluster. */
    readonly hostAddress?: string;
    /** Images that are there already, where the cluster reaches no registry. */
    readonly images?: ClusterImages;
}

export type ClusterKind = "context" | "kind" | "local";

export interface ClusterImages {
    /** In place of nginxinc/nginx-unprivileged. */
    readonly nginx: string;
    /** In place of curlimages/curl. */
    readonly fetch: string;
}

export interface ClusterStatus {
    readonly name: string;
    /** "broken" is a cluster of which something is left, but which does not work: `up` replaces it. */
    readonly state: "absent" | "broken" | "running";
    /** Why it is broken, as whole sentences. */
    readonly problems: readonly string[];
    /** Where it is running. */
    readonly cluster?: Cluster;
}
