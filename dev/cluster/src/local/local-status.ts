import { type ClusterStatus } from "../cluster/cluster.js";
import { isRunning } from "../cluster/process-identity.js";
import { apiServerOrigin, whyNodeIsNotReady } from "./control-plane/api-server.js";
import { componentNames } from "./control-plane/components.js";
import { localCluster, nodeNameOf, readLocalState } from "./local-state.js";
import { readInitProcess } from "./network/node-namespace.js";

/** Checks a cluster's processes and its API server; changes nothing. */
export async function localStatus(name: string, folder: string): Promise<ClusterStatus> {
    const state = await readLocalState(folder);
    const init = await readInitProcess(folder);
    if (state === undefined) {
        return { name, state: "absent", problems: [] };
    }
    if (init === undefined || !(await isRunning(init))) {
        return { name, state: "broken", problems: ["Its processes have ended."] };
    }
    if (state.running === undefined) {
        return { name, state: "broken", problems: ["It is still being started, or its start was killed."] };
    }
    const problems: string[] = [];
    for (const component of componentNames) {
        const identity = state.running.processes[component];
        if (identity === undefined || !(await isRunning(identity))) {
            problems.push(`${component} has ended; see ${folder}/logs/${component}.log.`);
        }
    }
    const { authority, token } = state.running;
    const server = { origin: apiServerOrigin(state.network), authority, token };
    const notReady = await whyNodeIsNotReady(server, nodeNameOf(name)).catch((error: unknown) => String(error));
    if (notReady !== undefined) {
        problems.push(`The node is not ready: ${notReady}.`);
    }
    return problems.length > 0
        ? { name, state: "broken", problems }
        : { name, state: "running", problems, cluster: localCluster(name, folder, state.network) };
}
