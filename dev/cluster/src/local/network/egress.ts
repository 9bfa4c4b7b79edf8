import { type Cluster } from "../../cluster/cluster.js";
import { findLocalNode } from "./local-node.js";
import { nodeInterface } from "./node-network.js";

export interface EgressTarget {
    readonly address: string;
    readonly port: number;
}

const chain = "STATIC-EXPORT-EGRESS";

/**
 * Runs `work` while pods of the local cluster can connect, outside the cluster, only to one address and port; any
 * other connection is refused at once. Connections from this machine into the cluster still work.
 *
 * @throws {ClusterError} for a cluster of another kind.
 */
export async function withEgressOnly<T>(
    cluster: Cluster,
    { address, port }: EgressTarget,
    work: () => Promise<T>,
): Promise<T> {
    const { run } = await findLocalNode(cluster);
    const iptables = (...args: string[]) => run(["iptables", "--wait", ...args]);
    const jump = ["FORWARD", "!", "--in-interface", nodeInterface, "--out-interface", nodeInterface, "--jump", chain];
    const remove = async () => {
        for (const args of [
            ["--delete", ...jump],
            ["--flush", chain],
            ["--delete-chain", chain],
        ]) {
            // Fails for a rule that does not exist.
            await iptables(...args).catch(() => undefined);
        }
    };
    // Removes the rules left by a run that was killed.
    await remove();
    try {
        await iptables("--new-chain", chain);
        await iptables(
            "--append",
            chain,
            "--match",
            "conntrack",
            "--ctstate",
            "RELATED,ESTABLISHED",
            "--jump",
            "RETURN",
        );
        await iptables(
            ...["--append", chain, "--protocol", "tcp", "--destination", address, "--destination-port", String(port)],
            ...["--jump", "RETURN"],
        );
        await iptables("--append", chain, "--jump", "REJECT");
        await iptables("--insert", ...jump);
        return await work();
    } finally {
        await remove();
    }
}
