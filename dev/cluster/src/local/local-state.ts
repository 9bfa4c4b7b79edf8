import path from "node:path";
import { readJson } from "@pulumi-static-export/toolchain";
import { type Cluster } from "../cluster/cluster.js";
import { writePrivateFile } from "../cluster/cluster-folder.js";
import { type ProcessIdentity } from "../cluster/process-identity.js";
import { type ComponentName } from "./control-plane/components.js";
import { imageRecipes } from "./images/image-recipes.js";
import { type KernelSettings } from "./node/kernel-settings.js";
import { type NetworkPlan } from "./network/network-plan.js";

/** The data that `down` and `status` need, written before any change to the machine. */
export interface LocalState {
    readonly kind: "local";
    readonly network: NetworkPlan;
    readonly kernelSettings: KernelSettings;
    /** This field is set when the cluster is up. */
    readonly running?: {
        readonly processes: Readonly<Partial<Record<ComponentName, ProcessIdentity>>>;
        readonly token: string;
        readonly authority: string;
    };
}

export async function readLocalState(folder: string): Promise<LocalState | undefined> {
    const state = (await readJson(stateFile(folder))) as { kind?: unknown } | undefined;
    return state?.kind === "local" ? (state as LocalState) : undefined;
}

export async function writeLocalState(folder: string, state: LocalState): Promise<void> {
    await writePrivateFile(stateFile(folder), JSON.stringify(state, undefined, 2));
}

export function stateFile(folder: string): string {
    return path.join(folder, "state.json");
}

/** Returns the node's host name, which is also the name of its context in the kubeconfig file. */
export function nodeNameOf(clusterName: string): string {
    return `static-export-${clusterName}`;
}

export function localCluster(name: string, folder: string, { hostAddress, nodeAddress }: NetworkPlan): Cluster {
    return {
        name,
        kind: "local",
        kubeconfig: path.join(folder, "kubeconfig"),
        kubectl: path.join(folder, "bin", "kubectl"),
        nodeAddress,
        hostAddress,
        images: { nginx: imageRecipes.nginx.reference, node: imageRecipes.node.reference },
    };
}
