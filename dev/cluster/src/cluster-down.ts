import { rm } from "node:fs/promises";
import { removeClusterFolder } from "./cluster/cluster-folder.js";
import { type ClusterOptions, defaultClusterName, namedContext, withClusterLock } from "./cluster-options.js";
import { readKindState, removeKind } from "./kind.js";
import { contextKubeconfig } from "./kube-context.js";
import { removeLocal } from "./local/local-down.js";

/**
 * Removes a cluster and all its remains on this machine; does nothing if the cluster does not exist. For the user's own
 * cluster, removes only our copy of its kubeconfig.
 *
 * @throws {ClusterError} when a part cannot be removed.
 */
export async function clusterDown(options: ClusterOptions = {}): Promise<void> {
    const context = namedContext(options);
    if (context !== undefined) {
        await rm(contextKubeconfig(context), { force: true });
        return;
    }
    const { name = defaultClusterName } = options;
    await withClusterLock(name, options, (folder) => removeCluster(name, folder));
}

export async function removeCluster(name: string, folder: string): Promise<void> {
    if ((await readKindState(folder)) !== undefined) {
        await removeKind(name, folder);
    } else {
        await removeLocal(name, folder);
    }
    await removeClusterFolder(folder);
}
