import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { withTemporaryFolder } from "../host/temporary-folder.js";

const run = promisify(execFile);

/** How kubectl reaches the cluster that the release goes to. */
export interface ClusterAccess {
    /** A file, or the content of one. */
    kubeconfig?: string;
    context?: string;
}

export interface RolloutWatchOptions {
    /** Reads the release's pods; rejecting counts as nothing to see. */
    readonly listPods: (signal: AbortSignal) => Promise<Pod[]>;
    readonly report: (line: string) => void;
    /** Ends the watch. */
    readonly signal: AbortSignal;
    readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** As much of a pod as is looked at. */
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
const mostReasons = 5;

/**
 * Reports why pods of a release have no site, once for each reason, until the signal ends it. Helm only says that the
 * time was up; and once it has undone the rollout, the pods that knew why are gone. Never rejects.
 */
export async function watchRollout({ listPods, report, signal, delay = pause }: RolloutWatchOptions): Promise<void> {
    // What ended before the rollout is not its doing.
    const seen = new Set((await failures(listPods, signal)).map(({ containerId }) => containerId));
    const reported = new Set<string>();
    while (reported.size < mostReasons) {
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
            // The chart's fetch: what it says never contains the link.
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

/** With kubectl, which knows every way into a cluster; where there is none, nothing is seen. */
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

/** kubectl takes files only. Credentials lie in one of ours no longer than it runs. */
function withKubeconfigFile<T>(
    kubeconfig: string | undefined,
    work: (file: string | undefined) => Promise<T>,
): Promise<T> {
    const isContent = kubeconfig !== undefined && /[{\n]/.test(kubeconfig);
    if (!isContent) {
        return work(kubeconfig);
    }
    return withTemporaryFolder("kubeconfig-", async (folder) => {
        const file = join(folder, "config");
        await writeFile(file, kubeconfig, { mode: 0o600 });
        return work(file);
    });
}

/** Keeps no process alive: a rollout that failed ends the program, and nobody else ends the watch then. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
    return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
