import { access } from "node:fs/promises";
import { ClusterError } from "../cluster/cluster-error.js";
import { removeClusterFolder } from "../cluster/cluster-folder.js";
import { currentBootId, isRunning, killProcess } from "../cluster/process-identity.js";
import { waitFor } from "../cluster/wait-for.js";
import { removeControlGroup } from "./node/cgroups.js";
import { restoreKernelSettings } from "./node/kernel-settings.js";
import { readLocalState } from "./local-state.js";
import { readInitProcess } from "./network/node-namespace.js";

const timeoutMs = 20_000;

/** Stops a cluster, even a partly started one, and leaves only its folder with the logs on this machine. */
export async function stopLocal(name: string, folder: string): Promise<void> {
    const init = await readInitProcess(folder);
    if (init !== undefined && init.bootId !== (await currentBootId())) {
        // The machine was restarted, which ended the cluster; processes and interfaces with these ids and names are not
        // ours.
        return;
    }
    if (init !== undefined) {
        // When this process ends, the kernel kills every process in its namespaces, and then removes their mounts and
        // interfaces.
        await killProcess(init);
        await settled(name, `process ${init.pid} is still running`, async () => !(await isRunning(init)));
    }
    const state = await readLocalState(folder);
    if (state === undefined) {
        return;
    }
    const { hostInterface } = state.network;
    await settled(name, `the interface ${hostInterface} is still there`, () =>
        isAbsent(`/sys/class/net/${hostInterface}`),
    );
    await settled(name, `the control group ${hostInterface} is still in use`, async () => {
        await removeControlGroup(hostInterface);
        return true;
    });
    await restoreKernelSettings(state.kernelSettings);
}

/** Stops a cluster and removes its folder. */
export async function removeLocal(name: string, folder: string): Promise<void> {
    await stopLocal(name, folder);
    await removeClusterFolder(folder);
}

async function settled(name: string, problem: string, isSettled: () => Promise<boolean>): Promise<void> {
    const findMissing = async () => ((await isSettled()) ? undefined : problem);
    const missing = await waitFor(findMissing, { timeoutMs });
    if (missing !== undefined) {
        throw new ClusterError(
            `Cluster ${name} did not stop within ${timeoutMs / 1000} s: ${missing}. Run down again.`,
        );
    }
}

async function isAbsent(file: string): Promise<boolean> {
    return access(file).then(
        () => false,
        () => true,
    );
}
