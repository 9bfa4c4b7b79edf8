import { reporter } from "@pulumi-static-export/toolchain";
import { type Cluster } from "./cluster.js";
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
 * Returns a cluster that is up: the context that the user named; else the one that is running under this name; else
 * one that kind makes, where Docker runs; else one node started on this machine, which takes Linux and root.
 *
 * What is left of a cluster that no longer works, or whose start was killed, is removed first.
 *
 * @throws {ClusterError} when it cannot be had; nothing that was started is left running then.
 * @throws {ToolUnavailableError} when what the local cluster consists of can be neither downloaded nor built.
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
