import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { isLong } from "../scale.js";

/**
 * Returns the folder of a Kubernetes provider, to put on PATH. The long form uses the real provider; the short form
 * uses a small one that accepts every resource.
 */
export async function kubernetesProviderFolder(): Promise<string> {
    return isLong
        ? dirname(await ensureKubernetesProvider())
        : fileURLToPath(new URL("kubernetes-provider/", import.meta.url));
}
