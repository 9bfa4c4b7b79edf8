import { reporter } from "@pulumi-static-export/toolchain";
import { type Cluster } from "./cluster/cluster.js";
import { removeCluster } from "./cluster-down.js";
import {
    admittedKind,
    type ClusterOptions,
    defaultClusterName,
    namedContext,
    withClusterLock,
} from "./cluster-options.js";
import { lookAtCluster } from "./cluster-status.js";
import { isKindUsable, startKind } from "./kind.js";
import { useContext } from "./kube-context.js";
import { startLocal } from "./local/local-up.js";

/**
 * Returns a running cluster: the context that the user named; otherwise a cluster that is running under this name;
 * otherwise a kind cluster, if Docker is running; otherwise a one-node cluster on this machine, which needs Linux and
 * root.
 *
 * First removes the remains of a broken cluster, or of a killed start.
 *
 * @throws {ClusterError} when the cluster cannot be started; its parts are stopped first.
 * @throws {ToolUnavailableError} when a component of the local cluster can be neither downloaded nor built.
 */
export async function clusterUp(options: ClusterOptions = {}): Promise<Cluster> {
    const { signal } = options;
    const context = namedContext(options);
    if (context !== undefined) {
        return useContext(context, signal);
    }
    const { name = defaultClusterName } = options;
    const admitted = admittedKind(options);
    return withClusterLock(name, options, async (folder) => {
        const { state, problems, cluster } = await lookAtCluster(name, folder);
        if (cluster !== undefined) {
            return cluster;
        }
        if (state === "broken") {
            reporter(options)(`Replacing the cluster ${name}. ${problems.join(" ")}`);
            await removeCluster(name, folder);
        }
        const useKind = admitted === undefined ? await isKindUsable() : admitted === "kind";
        return useKind ? startKind(name, folder, options) : startLocal(name, folder, options);
    });
}
