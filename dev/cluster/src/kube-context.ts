import path from "node:path";
import which from "which";
import { cacheFolder, CommandError, run } from "@pulumi-static-export/toolchain";
import { type Cluster } from "./cluster/cluster.js";
import { ClusterError } from "./cluster/cluster-error.js";
import { writePrivateFile } from "./cluster/cluster-folder.js";

/**
 * Uses the user's own cluster, which a context of their kubeconfig names. Changes nothing in this cluster.
 *
 * Never falls back: an explicit context that does not respond is an error.
 */
export async function useContext(context: string, signal: AbortSignal | undefined): Promise<Cluster> {
    const kubectl = await which("kubectl", { nothrow: true });
    if (kubectl === null) {
        throw new ClusterError(
            `Cannot use the context "${context}": kubectl is not on PATH. Install it, then try again.`,
        );
    }
    const ask = (...args: string[]) => run(kubectl, ["--context", context, ...args], { signal, timeoutMs: 20_000 });
    try {
        await ask("get", "--raw", "/readyz", "--request-timeout=10s");
        const kubeconfig = contextKubeconfig(context);
        await writePrivateFile(kubeconfig, await ask("config", "view", "--minify", "--flatten", "--raw"));
        return { name: context, kind: "context", kubeconfig, kubectl };
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ClusterError(
            `Cannot use the context "${context}" of your kubeconfig: ${error.lastLine}. Check ` +
                "`kubectl config get-contexts`, or leave the context out to get your own cluster.",
            { cause: error },
        );
    }
}

/** Copies only the named context, so that it is the current context of the copy. */
export function contextKubeconfig(context: string): string {
    return path.join(cacheFolder(), "clusters", "contexts", `${encodeURIComponent(context)}.yaml`);
}
