import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type EnsureOptions, reporter, withLock } from "@pulumi-static-export/toolchain";
import { ClusterError } from "./cluster/cluster-error.js";
import { type LocalOptions } from "./local/local-up.js";
import { assertClusterName, clusterFolder } from "./cluster/cluster-folder.js";

export interface ClusterOptions extends LocalOptions {
    /** @default "local" */
    readonly name?: string;
    /**
     * A context of the user's kubeconfig to use instead of our own cluster.
     * @default the environment variable STATIC_EXPORT_KUBE_CONTEXT
     */
    readonly context?: string;
    /**
     * Chooses how to create the cluster if both ways would work.
     * @default the environment variable STATIC_EXPORT_CLUSTER
     */
    readonly kind?: "kind" | "local";
}

export const defaultClusterName = "local";

/** Returns the context of the user's kubeconfig to use; undefined for our own cluster. */
export function namedContext(options: ClusterOptions = {}): string | undefined {
    return (options.context ?? process.env["STATIC_EXPORT_KUBE_CONTEXT"]) || undefined;
}

/** Undefined allows both. */
export function admittedKind({ kind }: ClusterOptions): "kind" | "local" | undefined {
    const admitted = kind ?? process.env["STATIC_EXPORT_CLUSTER"] ?? "";
    if (admitted === "kind" || admitted === "local") {
        return admitted;
    }
    if (admitted !== "") {
        throw new ClusterError(`STATIC_EXPORT_CLUSTER must be "kind", "local" or not set, got "${admitted}".`);
    }
    return undefined;
}

/** Runs `work` while no other process can start or stop the same cluster. */
export async function withClusterLock<T>(
    name: string,
    options: EnsureOptions,
    work: (folder: string) => Promise<T>,
): Promise<T> {
    assertClusterName(name);
    const folder = clusterFolder(name);
    await mkdir(path.dirname(folder), { recursive: true });
    const onWait = () => reporter(options)(`Waiting for another process that starts or stops the cluster ${name}.`);
    return withLock(`${folder}.lock`, { onWait, signal: options.signal }, () => work(folder));
}
