import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { clusterDown, clusterStatus, clusterUp, type Cluster } from "@pulumi-static-export/cluster";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { Forwarder } from "./forwarder.js";
import type { QuickstartFolder, QuickstartSettings } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";
import { assertPodsWillReachUs, hostAddressOf } from "./pods-reach-us.js";
import { QuickstartStack } from "./quickstart-stack.js";
import { root, showSite, startService } from "./steps.js";

/** Runs the quickstart on a Kubernetes cluster: the program of examples/helm-release, with the reference chart. */
export async function runOnKubernetes(
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    options: QuickstartOptions,
): Promise<void> {
    const { signal } = options;
    const onProgress = (line: string) => console.log(line);
    assertPodsWillReachUs();
    const wasRunning = (await clusterStatus({})).state === "running";
    const cluster = await clusterUp({ onProgress, signal });
    try {
        const provider = await ensureKubernetesProvider({ onProgress, signal });
        await rollOut(cluster, dirname(provider), folder, settings, options);
    } finally {
        if (!wasRunning) {
            console.log("Removing the cluster …");
            await clusterDown({});
            // Also removes the stack's state, which is outdated because its releases were removed with the cluster.
            await rm(stackFolder(folder), { recursive: true, force: true });
        }
    }
}

async function rollOut(
    cluster: Cluster,
    providerFolder: string,
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    options: QuickstartOptions,
): Promise<void> {
    // The service stays on loopback; pods fetch bundles through an address of the cluster's network.
    const forwarder = await Forwarder.listen(hostAddressOf(cluster), settings.servicePort);
    try {
        const service = await startService(folder, settings, { publicUrl: forwarder.address });
        try {
            const baseUrl = `http://127.0.0.1:${settings.servicePort}`;
            await folder.saveRunning({ pid: process.pid, serviceAddress: baseUrl });
            const stack = await QuickstartStack.open({
                workDir: join(root, "examples", "helm-release"),
                folder: stackFolder(folder),
                passphrase: settings.passphrase,
                baseUrl,
                adminApiKey: settings.adminApiKey,
                pluginFolders: [providerFolder],
                env: { KUBECONFIG: cluster.kubeconfig },
                config: { values: JSON.stringify(chartValues(cluster)) },
                print: (text) => process.stdout.write(text),
                signal: options.signal,
            });
            await serve(stack, cluster, options);
        } finally {
            await folder.forgetRunning();
            await service.close();
        }
    } finally {
        await forwarder.close();
    }
}

async function serve(stack: QuickstartStack, cluster: Cluster, options: QuickstartOptions): Promise<void> {
    const { service } = await stack.up(options.version);
    try {
        const hint = `Look at it with: ${cluster.kubectl} --kubeconfig ${cluster.kubeconfig} get all`;
        await showSite(await addressOf(cluster, service?.value as string), hint, options);
    } finally {
        await stack.destroy();
    }
}

function stackFolder(folder: QuickstartFolder): string {
    return folder.sub("pulumi-kubernetes");
}

/** Uses one pod, because there is only one node, and preloaded images if the cluster cannot reach a registry. */
function chartValues({ images }: Cluster): object {
    const local = images && {
        image: imageOf(images.nginx),
        fetch: { image: imageOf(images.node) },
    };
    return { replicaCount: 1, service: { type: "NodePort" }, podDisruptionBudget: { enabled: false }, ...local };
}

function imageOf(name: string): { repository: string; tag: string; pullPolicy: string } {
    const [repository = "", tag = ""] = name.split(":");
    return { repository, tag, pullPolicy: "Never" };
}

async function addressOf({ kubectl, kubeconfig, nodeAddress }: Cluster, service: string): Promise<string> {
    const args = ["--kubeconfig", kubeconfig, "get", "service", service, "-o", "jsonpath={.spec.ports[0].nodePort}"];
    const { stdout } = await promisify(execFile)(kubectl, args);
    return `http://${nodeAddress}:${stdout.trim()}/`;
}
