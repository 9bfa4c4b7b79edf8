import assert from "node:assert/strict";
import { dirname } from "node:path";
import { readLocalState } from "../../../../dev/cluster/src/local/local-state.js";
import { descendantsOf } from "../../support/process-tree.js";
import { type LocalCluster } from "./shared-cluster.js";

/** Stops the Kubernetes API during an action: it accepts connections, but answers nothing. */
export async function withStoppedApi(cluster: LocalCluster, act: () => Promise<void>): Promise<void> {
    const state = await readLocalState(dirname(cluster.kubeconfig));
    const { pid } = state?.running?.processes["kube-apiserver"] ?? assert.fail("the API has no process");
    // The process is a wrapper, which stops and continues with the API's own process, its child. A wrapper that is
    // stopped by this signal as well may miss that its child continues, and stay stopped.
    const children = descendantsOf(pid).map((each) => each.pid);
    children.forEach((each) => process.kill(each, "SIGSTOP"));
    try {
        await act();
    } finally {
        [...children, pid].forEach((each) => process.kill(each, "SIGCONT"));
    }
}
