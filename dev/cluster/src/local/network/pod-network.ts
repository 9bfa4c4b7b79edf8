import { type Cluster } from "../../cluster/cluster.js";
import { findLocalNode } from "./local-node.js";

/**
 * Silently drops every packet between a pod of the local cluster and addresses outside of the cluster, as when a
 * machine loses its network. The node still reaches the pod, so that its probes succeed.
 *
 * @param address - the address of the pod
 * @throws {ClusterError} for a cluster of another kind
 */
export function cutPod(cluster: Cluster, address: string): Promise<void> {
    return changeRules(cluster, "--insert", address);
}

/** Undoes {@link cutPod}. */
export function reconnectPod(cluster: Cluster, address: string): Promise<void> {
    return changeRules(cluster, "--delete", address);
}

async function changeRules(cluster: Cluster, change: "--insert" | "--delete", address: string): Promise<void> {
    const { run } = await findLocalNode(cluster);
    for (const direction of ["--source", "--destination"]) {
        await run(["iptables", "--wait", change, "FORWARD", direction, address, "--jump", "DROP"]);
    }
}
