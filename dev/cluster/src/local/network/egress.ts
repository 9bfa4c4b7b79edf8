import { type Cluster } from "../../cluster/cluster.js";
import { findLocalNode } from "./local-node.js";
import { nodeInterface } from "./node-network.js";

export interface EgressTarget {
    readonly address: string;
    readonly port: number;
}

const chain = "STATIC-EXPORT-EGRESS";

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
    const iptables = (...args: string[]) => run(["iptables", "--wait", ...args]);
    const jump = ["FORWARD", "!", "--in-interface", nodeInterface, "--out-interface", nodeInterface, "--jump", chain];
    const remove = async () => {
        for (const args of [
            ["--delete", ...jump],
            ["--flush", chain],
            ["--delete-chain", chain],
        ]) {
            // This command fails if the rule does not exist.
            await iptables(...args).catch(() => undefined);
        }
    };
    // Removes the rules of a killed run.
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
