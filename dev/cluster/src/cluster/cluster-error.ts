/** A cluster could not be started, changed or removed; the message says which, what failed, and what to do. */
export class ClusterError extends Error {
    override readonly name = "ClusterError";
}
