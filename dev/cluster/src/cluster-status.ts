import { type ClusterStatus } from "./cluster/cluster.js";
import { assertClusterName, clusterFolder } from "./cluster/cluster-folder.js";
import { type ClusterOptions, defaultClusterName, namedContext } from "./cluster-options.js";
import { kindStatus, readKindState } from "./kind.js";
import { useContext } from "./kube-context.js";
import { localStatus } from "./local/local-status.js";

/** Reports whether the cluster works; changes nothing. */
export async function clusterStatus(options: ClusterOptions = {}): Promise<ClusterStatus> {
    const context = namedContext(options);
    if (context !== undefined) {
        return { name: context, state: "running", problems: [], cluster: await useContext(context, options.signal) };
    }
    const { name = defaultClusterName } = options;
    assertClusterName(name);
    return lookAtCluster(name, clusterFolder(name));
}

export async function lookAtCluster(name: string, folder: string): Promise<ClusterStatus> {
    const kind = await readKindState(folder);
    return kind === undefined ? localStatus(name, folder) : kindStatus(name, kind);
}
