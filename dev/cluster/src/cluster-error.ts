/** A cluster could not be started, changed or removed; the message names it, the part that failed and what to do. */
export class ClusterError extends Error {
    override readonly name = "ClusterError";
}
