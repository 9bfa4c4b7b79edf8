import { type Cluster } from "../../cluster/cluster.js";
import { ClusterError } from "../../cluster/cluster-error.js";
import { clusterFolder } from "../../cluster/cluster-folder.js";
import { readInitProcess, runInNamespace } from "./node-namespace.js";

/** The one node of a local cluster that is up. */
export interface LocalNode {
    /** Where its files are on this machine; its `/var` is the folder `var` in it. */
    readonly stateFolder: string;
    /** Runs a program of the node to its end, and returns what it printed. */
    run(command: readonly string[]): Promise<string>;
}

/** @throws {ClusterError} for a cluster of another kind */
export async function findLocalNode({ name, kind }: Cluster): Promise<LocalNode> {
    const stateFolder = clusterFolder(name);
    const init = kind === "local" ? await readInitProcess(stateFolder) : undefined;
    if (init === undefined) {
        throw new ClusterError(`Cannot change the node of cluster ${name}: only that of a local cluster is ours.`);
    }
    return { stateFolder, run: (command) => runInNamespace(init, command) };
}
