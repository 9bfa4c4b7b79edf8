import { type Cluster } from "../../cluster/cluster.js";
import { findLocalNode } from "./local-node.js";

/**
 * Silently drops every packet between a pod of the local cluster and addresses outside of the cluster, as when a
 * machine loses its network. The node still reaches the pod, so that its probes succeed.
 *
 * @param address - the address of the pod
 * @throws {ClusterError} for a cluster of another kind
 */
export async function cutPod(cluster: Cluster, address: string): Promise<void> {
    const { run } = await findLocalNode(cluster);
    const chain = `${tableOf(address)} forward`;
    const commands = [
        `add table ${tableOf(address)}`,
        // Comes before the chains of kube-proxy and kube-router, which accept packets.
        `add chain ${chain} { type filter hook forward priority filter - 10; }`,
        ...["saddr", "daddr"].map((direction) => `add rule ${chain} ip ${direction} ${address} drop`),
    ];
    await run(["nft", commands.join("; ")]);
}

/** Undoes {@link cutPod}. */
export async function reconnectPod(cluster: Cluster, address: string): Promise<void> {
    const { run } = await findLocalNode(cluster);
    await run(["nft", `delete table ${tableOf(address)}`]);
}

function tableOf(address: string): string {
    return `ip static_export_cut_${address.replaceAll(".", "_")}`;
}
