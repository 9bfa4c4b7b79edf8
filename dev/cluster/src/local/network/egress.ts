import { type Cluster } from "../../cluster.js";
import { ClusterError } from "../../cluster-error.js";
import { clusterFolder } from "../../cluster-folder.js";
import { nodeInterface } from "./node-network.js";
import { readInitProcess, runInNamespace } from "./node-namespace.js";

export interface EgressTarget {
    readonly address: string;
    readonly port: number;
}

const chain = "STATIC-EXPORT-EGRESS";

/**
 * Runs `work` while pods of the local cluster can open connections, beyond the cluster itself, to nothing but one
 * address and port: everything else is refused at once. Connections from this machine into the cluster stay possible.
 *
 * @throws {ClusterError} for a cluster of another kind, whose network is not ours.
 */
export async function withEgressOnly<T>(
    { name, kind }: Cluster,
    { address, port }: EgressTarget,
    work: () => Promise<T>,
): Promise<T> {
    const init = kind === "local" ? await readInitProcess(clusterFolder(name)) : undefined;
    if (init === undefined) {
        throw new ClusterError(
            `Cannot cut off cluster ${name}: only the network of a local cluster is ours to change.`,
        );
    }
    const iptables = (...args: string[]) => runInNamespace(init, ["iptables", "--wait", ...args]);
    const jump = ["FORWARD", "!", "--in-interface", nodeInterface, "--out-interface", nodeInterface, "--jump", chain];
    const remove = async () => {
        for (const args of [
            ["--delete", ...jump],
            ["--flush", chain],
            ["--delete-chain", chain],
        ]) {
            // Fails for what is not there.
            await iptables(...args).catch(() => undefined);
        }
    };
    // A process that was killed in here has left its rules.
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
