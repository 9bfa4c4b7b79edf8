import { type Cluster } from "../cluster/cluster.js";
import { containerd } from "./images/containerd.js";
import { findLocalNode } from "./network/local-node.js";

/**
 * Kills all processes of a container, as a node does when it runs out of memory. Kubernetes notices only afterwards.
 *
 * @param id - from a pod's status, such as `containerd://4f2a…`
 * @throws {ClusterError} for a cluster that is not local
 */
export async function killContainer(cluster: Cluster, id: string): Promise<void> {
    const { run } = await findLocalNode(cluster);
    await run([...containerd, "tasks", "kill", "--all", "--signal", "SIGKILL", id.replace("containerd://", "")]);
}
