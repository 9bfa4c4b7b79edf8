import { type EnsureOptions, reporter, withLock } from "@pulumi-static-export/toolchain";

/** One for the whole machine, as its routes are, whatever cache a cluster is kept in. */
const lockPath = "/run/static-export-cluster-network.lock";

/** Keeps other clusters from choosing addresses between the choice and the route that shows it to them. */
export async function withNetworkLock<T>(options: EnsureOptions, work: () => Promise<T>): Promise<T> {
    const onWait = () => reporter(options)("Waiting for another cluster that is being connected with this machine.");
    return withLock(lockPath, { onWait, signal: options.signal }, work);
}
