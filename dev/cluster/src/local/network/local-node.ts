import { type Cluster } from "../../cluster/cluster.js";
import { ClusterError } from "../../cluster/cluster-error.js";
import { clusterFolder } from "../../cluster/cluster-folder.js";
import { readInitProcess, runInNamespace } from "./node-namespace.js";

/** The only node of a running local cluster. */
interface LocalNode {
    /** The folder of the node's files on this machine; its `var` is the node's `/var`. */
    readonly stateFolder: string;
    /** Runs a program in the node to completion, and returns its output. */
    run(command: readonly string[]): Promise<string>;
}

/** @throws {ClusterError} for a cluster of another kind */
export async function findLocalNode({ name, kind }: Cluster): Promise<LocalNode> {
    const stateFolder = clusterFolder(name);
    const init = kind === "local" ? await readInitProcess(stateFolder) : undefined;
    if (init === undefined) {
        throw new ClusterError(
            `Cannot change the node of cluster ${name}: only nodes of local clusters can be changed.`,
        );
    }
    return { stateFolder, run: (command) => runInNamespace(init, command) };
}
