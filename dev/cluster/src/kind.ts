import path from "node:path";
import which from "which";
import {
    CommandError,
    type EnsureOptions,
    readJson,
    reporter,
    run,
    withHeartbeat,
} from "@pulumi-static-export/toolchain";
import { type Cluster, type ClusterStatus } from "./cluster/cluster.js";
import { ClusterError } from "./cluster/cluster-error.js";
import { removeClusterFolder, writePrivateFile } from "./cluster/cluster-folder.js";

interface KindState {
    readonly kind: "kind";
    /** Absent while kind is still creating the cluster. */
    readonly cluster?: Cluster;
}

/** Returns whether kind and kubectl are installed and Docker responds. */
export async function isKindUsable(): Promise<boolean> {
    const programs = ["kind", "kubectl", "docker"].map((name) => which(name, { nothrow: true }));
    if ((await Promise.all(programs)).includes(null)) {
        return false;
    }
    return run("docker", ["info"], { timeoutMs: 10_000 }).then(
        () => true,
        () => false,
    );
}

export async function readKindState(folder: string): Promise<KindState | undefined> {
    const state = (await readJson(stateFile(folder))) as { kind?: unknown } | undefined;
    return state?.kind === "kind" ? (state as KindState) : undefined;
}

/** @throws {ClusterError} when kind fails or is not installed. */
export async function startKind(name: string, folder: string, options: EnsureOptions): Promise<Cluster> {
    const { signal } = options;
    if (!(await isKindUsable())) {
        throw new ClusterError(
            `Cluster ${name} did not start: kind and kubectl must be on PATH, and Docker must be running.`,
        );
    }
    const kubeconfig = path.join(folder, "kubeconfig");
    await writePrivateFile(stateFile(folder), JSON.stringify({ kind: "kind" } satisfies KindState));
    const texts = {
        started: `creating the kind cluster ${kindName(name)}`,
        ended: `Created ${kindName(name)} with kind`,
    };
    try {
        await withHeartbeat(texts, { report: reporter(options) }, () =>
            run("kind", ["create", "cluster", "--name", kindName(name), "--kubeconfig", kubeconfig, "--wait", "180s"], {
                signal,
            }),
        );
    } catch (error) {
        // If removal fails as well, the remains count as a broken cluster.
        await removeKind(name, folder).catch(() => undefined);
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ClusterError(`Cluster ${name} did not start: kind failed.\n${error.lastLines(15)}`, { cause: error });
    }
    const kubectl = await which("kubectl");
    const cluster: Cluster = { name, kind: "kind", kubeconfig, kubectl, ...(await addresses(name)) };
    await writePrivateFile(stateFile(folder), JSON.stringify({ kind: "kind", cluster } satisfies KindState));
    return cluster;
}

export async function kindStatus(name: string, { cluster }: KindState): Promise<ClusterStatus> {
    if (cluster === undefined) {
        return { name, state: "broken", problems: ["It is still being created, or its creation was interrupted."] };
    }
    const { kubectl, kubeconfig } = cluster;
    try {
        await run(kubectl, ["--kubeconfig", kubeconfig, "get", "--raw", "/readyz", "--request-timeout=5s"]);
        return { name, state: "running", problems: [], cluster };
    } catch (error) {
        return { name, state: "broken", problems: [`Its API server does not answer: ${(error as Error).message}.`] };
    }
}

export async function removeKind(name: string, folder: string): Promise<void> {
    try {
        await run("kind", [
            "delete",
            "cluster",
            "--name",
            kindName(name),
            "--kubeconfig",
            path.join(folder, "kubeconfig"),
        ]);
    } catch (error) {
        throw new ClusterError(`Cluster ${name} was not removed: ${(error as Error).message}.`, { cause: error });
    }
    await removeClusterFolder(folder);
}

/**
 * Returns the addresses at which containers and this machine reach each other; returns none on systems other than
 * Linux, where Docker runs in a virtual machine.
 */
async function addresses(name: string): Promise<Pick<Cluster, "nodeAddress" | "hostAddress">> {
    if (process.platform !== "linux") {
        return {};
    }
    const format = '{{with index .NetworkSettings.Networks "kind"}}{{.IPAddress}} {{.Gateway}}{{end}}';
    const shown = await run("docker", ["inspect", "--format", format, `${kindName(name)}-control-plane`]);
    const [nodeAddress, hostAddress] = shown.trim().split(" ");
    return nodeAddress && hostAddress ? { nodeAddress, hostAddress } : {};
}

function kindName(name: string): string {
    return `static-export-${name}`;
}

function stateFile(folder: string): string {
    return path.join(folder, "state.json");
}
