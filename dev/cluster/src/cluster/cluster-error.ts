/** A cluster could not be started, changed or removed; the message names the cluster, the failure and the next step. */
export class ClusterError extends Error {
    override readonly name = "ClusterError";
}
