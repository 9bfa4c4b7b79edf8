import { type EnsureOptions, reporter, withLock } from "@pulumi-static-export/toolchain";

/** One lock for the whole machine, because routes are shared even by clusters of different caches. */
const lockPath = "/run/static-export-cluster-network.lock";

/** Keeps another cluster from choosing the same addresses before our route makes the choice visible. */
export async function withNetworkLock<T>(options: EnsureOptions, work: () => Promise<T>): Promise<T> {
    const onWait = () => reporter(options)("Waiting for another cluster that is being connected to this machine.");
    return withLock(lockPath, { onWait, signal: options.signal }, work);
}
