import { type Cluster } from "../../cluster/cluster.js";
import { findLocalNode } from "./local-node.js";
import { nodeInterface } from "./node-network.js";

export interface EgressTarget {
    readonly address: string;
    readonly port: number;
}

const table = "ip static_export_egress";

/**
 * Runs `work` while pods of the local cluster can connect to only one address and port outside the cluster; other
 * connections are refused immediately. Connections from this machine into the cluster still work.
 *
 * @throws {ClusterError} for a cluster of another kind.
 */
export async function withEgressOnly<T>(
    cluster: Cluster,
    { address, port }: EgressTarget,
    work: () => Promise<T>,
): Promise<T> {
    const { run } = await findLocalNode(cluster);
    const nft = (...commands: string[]) => run(["nft", commands.join("; ")]);
    // Creates the table first, because removing one that does not exist fails.
    const remove = [`add table ${table}`, `delete table ${table}`];
    const chain = `${table} forward`;
    const rules = [
        `iifname ${nodeInterface} accept`,
        `oifname != ${nodeInterface} accept`,
        "ct state established,related accept",
        `ip daddr ${address} tcp dport ${port} accept`,
        "reject",
    ];
    try {
        // Comes before the chains of kube-proxy and kube-router, which accept packets. The rules of a killed run go.
        await nft(
            ...remove,
            `add table ${table}`,
            `add chain ${chain} { type filter hook forward priority filter - 10; }`,
            ...rules.map((rule) => `add rule ${chain} ${rule}`),
        );
        return await work();
    } finally {
        await nft(...remove);
    }
}
