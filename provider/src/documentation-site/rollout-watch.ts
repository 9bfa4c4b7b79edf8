import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { withTemporaryFolder } from "../engine/temporary-folder.js";

const run = promisify(execFile);

/** How kubectl connects to the release's cluster. */
export interface ClusterAccess {
    /** A kubeconfig file, or its content. */
    kubeconfig?: string;
    context?: string;
}

interface RolloutWatchOptions {
    /** Lists the release's pods. A rejection counts as an empty list. */
    readonly listPods: (signal: AbortSignal) => Promise<Pod[]>;
    readonly report: (line: string) => void;
    /** Ends the watch. */
    readonly signal: AbortSignal;
    readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The fields of a pod that the watch reads. */
export interface Pod {
    metadata: { name: string };
    status?: { initContainerStatuses?: ContainerStatus[] };
}

interface ContainerStatus {
    name: string;
    state?: ContainerState;
    lastState?: ContainerState;
}

interface ContainerState {
    terminated?: { containerID?: string; exitCode: number; message?: string };
}

const intervalMs = 2000;
const maxReasons = 5;

/**
 * Reports why pods of a release have no site, each reason once, until the signal is aborted. Helm reports only a
 * timeout, and the failed pods are gone after its rollback. Never rejects.
 */
export async function watchRollout({ listPods, report, signal, delay = pause }: RolloutWatchOptions): Promise<void> {
    // The rollout did not cause earlier failures.
    const seen = new Set((await failures(listPods, signal)).map(({ containerId }) => containerId));
    const reported = new Set<string>();
    while (reported.size < maxReasons) {
        await delay(intervalMs, signal);
        if (signal.aborted) {
            return;
        }
        for (const { containerId, pod, reason } of await failures(listPods, signal)) {
            if (!seen.has(containerId) && !reported.has(reason)) {
                reported.add(reason);
                report(`Pod ${pod} has no site to serve: ${reason}`);
            }
        }
    }
}

async function failures(listPods: RolloutWatchOptions["listPods"], signal: AbortSignal) {
    const pods = await listPods(signal).catch(() => []);
    return pods.flatMap(({ metadata, status }) =>
        (status?.initContainerStatuses ?? [])
            // Reads only the chart's own container, whose messages never contain the link.
            .filter(({ name }) => name === "fetch-bundle")
            .flatMap(({ state, lastState }) => [state?.terminated, lastState?.terminated])
            .filter((terminated) => terminated !== undefined)
            .filter(({ exitCode, message = "" }) => exitCode !== 0 && message !== "")
            .map(({ containerID = "", message = "" }) => ({
                containerId: containerID,
                pod: metadata.name,
                reason: message.trim(),
            })),
    );
}

/** Uses kubectl, because it supports every way to authenticate with a cluster. */
export function listPodsWithKubectl(
    namespace: string,
    release: string,
    { kubeconfig, context }: ClusterAccess,
): RolloutWatchOptions["listPods"] {
    const request = [
        ...(context === undefined ? [] : ["--context", context]),
        ...["get", "pods", "--namespace", namespace, "--selector", `app.kubernetes.io/instance=${release}`],
        ...["--output", "json", "--request-timeout", "5s"],
    ];
    const options = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
    return (signal) =>
        withKubeconfigFile(kubeconfig, async (file) => {
            const args = [...(file === undefined ? [] : ["--kubeconfig", file]), ...request];
            const { stdout } = await run("kubectl", args, { ...options, signal });
            return (JSON.parse(stdout) as { items: Pod[] }).items;
        });
}

/** kubectl accepts only files. The file contains credentials, so it exists only while kubectl runs. */
function withKubeconfigFile<T>(
    kubeconfig: string | undefined,
    work: (file: string | undefined) => Promise<T>,
): Promise<T> {
    const isContent = kubeconfig !== undefined && /[{\n]/.test(kubeconfig);
    if (!isContent) {
        return work(kubeconfig);
    }
    return withTemporaryFolder("Rollout of a documentation site", "kubeconfig-", async (folder) => {
        const file = join(folder, "config");
        await writeFile(file, kubeconfig, { mode: 0o600 });
        return work(file);
    });
}

/** Does not keep the process alive: if the rollout fails, the program ends without stopping the watch. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
    return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
